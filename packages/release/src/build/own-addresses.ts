import { existsSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import type { Plugin, PluginContext } from "rolldown"

interface OwnAddressesOptions {
  /** The checkout, absolute. */
  root: string
  /** Where directories and programs of the checkout lie, as seen from the bundled modules. */
  places: Readonly<Record<string, string>>
  /** Packages that are installed beside the bundle. */
  external: readonly string[]
}

const ownSource = /^(?:apps|packages|prisma)\/(?!.*node_modules\/)/
const ofFile = /new URL\("([^"]+)", import\.meta\.url\)/g
const ofPackage = /import\.meta\.resolve\("([^"]+)"\)/g
const computed = /import\(`(?:\.|((?:@[\w.-]+\/)?[\w.-]+)\/)[^`]*`/g
const unmoved = /import\.meta\.(?:dirname|filename|resolve)|new URL\([^)]*import\.meta\.url/

/**
 * Keeps addresses right that our modules build from their own place (`import.meta`): a module that is started or
 * imported by its address becomes an entry of the bundle, another file goes along with it, and the rest has to be in
 * `places`. An address that cannot be followed fails the build instead of the installed program.
 */
export function ownAddresses({ root, places, external }: OwnAddressesOptions): Plugin {
  return {
    name: "own-addresses",
    transform: {
      filter: { code: /import\.meta|import\(`/ },
      async handler(code, id) {
        const file = path.relative(root, id)
        if (!ownSource.test(file)) return null
        for (const [all, name = ""] of code.matchAll(computed))
          if (!external.includes(name)) throw new Error(`${file} imports what no bundle can contain: ${all}`)
        const found = new Map<string, string>()
        for (const [all, named = ""] of code.matchAll(ofFile)) {
          found.set(all, await placeOf(this, path.resolve(path.dirname(id), named), file))
        }
        for (const [all, specifier = ""] of code.matchAll(ofPackage)) {
          const resolved = await this.resolve(specifier, id)
          if (resolved === null) throw new Error(`${file} needs ${specifier}, which is not installed.`)
          found.set(all, `${await placeOf(this, resolved.id, file)}.href`)
        }
        const moved = [...found].reduce((text, [from, to]) => text.replaceAll(from, to), code)
        const [left] = unmoved.exec([...found.values()].reduce((text, to) => text.replaceAll(to, ""), moved)) ?? []
        if (left !== undefined) throw new Error(`${file} builds an address that the package cannot keep: ${left}`)
        return { code: moved }
      },
    },
  }

  async function placeOf(bundle: PluginContext, target: string, from: string): Promise<string> {
    const named = path.relative(root, target)
    const place = places[named]
    if (place !== undefined) return `new URL(${JSON.stringify(place)}, import.meta.url)`
    if (!existsSync(target) || !statSync(target).isFile())
      throw new Error(`${from} refers to ${named}, which has no place in the package.`)
    const name = path.basename(target).replace(/\.[cm]?[jt]s$/, "")
    const reference = /\.[cm]?[jt]s$/.test(target)
      ? bundle.emitFile({ type: "chunk", id: target, name, preserveSignature: "strict" })
      : bundle.emitFile({ type: "asset", name: path.basename(target), source: await readFile(target) })
    return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
  }
}
