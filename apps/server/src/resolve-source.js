/** What was found for a specifier in a package, by both. */
const found = new Map()

/**
 * A hook of Node's module loader. Node looks for the file, its real path, its package and its format once for each import
 * of each module, which is a quarter of the work of a start. Here a relative import of a source says all of that itself,
 * and a package is looked for once in each of ours.
 *
 * @type {import("node:module").ResolveHookSync}
 */
export function resolveSource(specifier, context, next) {
  const { parentURL = "" } = context
  const sources = parentURL.indexOf("/src/")
  if (sources < 0 || parentURL.includes("/node_modules/")) return next(specifier, context)
  if (specifier.startsWith(".")) {
    if (!specifier.endsWith(".ts")) return next(specifier, context)
    return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true }
  }
  const key = `${parentURL.slice(0, sources)} ${specifier}`
  const known = found.get(key)
  if (known !== undefined) return known
  const { url, format, importAttributes } = next(specifier, context)
  const result = { url, format, importAttributes, shortCircuit: true }
  found.set(key, result)
  return result
}
