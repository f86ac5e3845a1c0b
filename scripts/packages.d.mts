type Packages = Record<string, object>

export function listPackages(packages: Packages, from: string[], kind?: 'dependencies' | 'devDependencies'): string[]
