type Packages = Record<string, object>

export function packagesOf(packages: Packages, from: string[], kind?: 'dependencies' | 'devDependencies'): string[]
