interface SourceManifest {
  name: string
  version: string
  license: string
  description: string
  type: string
  exports: Record<string, string>
  engines: Record<string, string>
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, object>
}

/** Entry points that only the web app uses: data from its service, and the replay. */
const unpublished = ["./pages", "./past-trees"]

/** Packages of this workspace are part of the published code. */
const isBundled = (name: string) => name.startsWith("@docket/")

/** The manifest of the installed package, and its entry points: output file name and source module. */
export function publishedManifest(source: SourceManifest) {
  const published = Object.entries(source.exports).filter(([name]) => !unpublished.includes(name))
  const fileOf = (name: string) => (name === "." ? "index" : name.slice(2))
  const { name, version, description, license, type, engines } = source
  const { dependencies, peerDependencies, peerDependenciesMeta } = source
  return {
    entries: Object.fromEntries(published.map(([name, file]) => [fileOf(name), file])),
    manifest: {
      name,
      version,
      description,
      license,
      type,
      engines,
      sideEffects: false,
      exports: {
        ...Object.fromEntries(
          published.map(([name]) => [name, { types: `./${fileOf(name)}.d.ts`, default: `./${fileOf(name)}.js` }]),
        ),
        "./package.json": "./package.json",
      },
      dependencies: Object.fromEntries(
        Object.entries(dependencies).filter(([name]) => !isBundled(name) && !(name in peerDependencies)),
      ),
      peerDependencies,
      peerDependenciesMeta,
    },
  }
}
