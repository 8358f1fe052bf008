import http from "node:http"
import tls from "node:tls"
import type { Plugin } from "rolldown"

/**
 * Modules of Node with properties that are made when they are first read: `WebSocket` of `node:http` loads undici,
 * `rootCertificates` of `node:tls` reads them all. An import statement reads every property.
 */
const modules: Readonly<Record<string, object>> = { http, tls }
const costly = new Set(["WebSocket", "CloseEvent", "MessageEvent", "rootCertificates"])
const prefix = "\0lean:"

/** Imports those modules without their costly properties, which nothing in the bundle uses: a start is 40 ms faster. */
export function leanBuiltins(): Plugin {
  return {
    name: "lean-builtins",
    resolveId(specifier, _importer, { kind }) {
      const name = specifier.replace(/^node:/, "")
      return kind !== "require-call" && Object.hasOwn(modules, name) ? `${prefix}${name}` : null
    },
    load(id) {
      if (!id.startsWith(prefix)) return null
      const name = id.slice(prefix.length)
      const kept = Object.keys(modules[name] ?? {}).filter((property) => !costly.has(property))
      return `const all = process.getBuiltinModule("node:${name}")
export default all
export const { ${kept.join(", ")} } = all`
    },
  }
}
