import type { ReleaseSettings } from './steps.ts'

type Build = { version: string; commit: string; metadata: string }

/** Refuses a base that a tag names, because tags move. */
export function imageCommand({ image, nodeImage, platforms, source }: ReleaseSettings, build: Build): string[] {
  if (image === '') throw new Error('RELEASE_IMAGE must name the image, such as registry.example/swapbell.')
  if (!/@sha256:[0-9a-f]{64}$/.test(nodeImage))
    throw new Error(
      'NODE_IMAGE must name the base by its digest: docker buildx imagetools inspect node:24-bookworm-slim prints it.',
    )
  const { version, commit, metadata } = build
  const labels = {
    title: 'Swapbell',
    version,
    revision: commit,
    source,
    licenses: 'MIT',
    'base.name': nodeImage,
  }
  const labelled = Object.entries(labels).map(([name, value]) => `--label=org.opencontainers.image.${name}=${value}`)
  const built = ['docker', 'buildx', 'build', '--push', `--platform=${platforms}`]
  const described = ['--sbom=true', '--provenance=mode=max', `--metadata-file=${metadata}`]
  return [...built, ...described, ...labelled, `--build-arg=NODE_IMAGE=${nodeImage}`, `--tag=${image}:${version}`, '.']
}
