import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import path from "node:path"
import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { encode, wantedEncoding } from "@docket/api"
import { createFewAtOnce } from "@docket/core"
import type { PageFiles } from "@docket/nodes"

export interface StaticFiles {
  /** False when it is not one of the files: nothing was answered. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<boolean>
}

interface StaticFilesDeps {
  directory: string
  /** Of the addresses. */
  prefix: string
  /** What other nodes have; null for a process that is alone. */
  shared: PageFiles | null
  onError(error: unknown): void
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}
/** File types that are already compressed. */
const packed = new Set([".woff2"])

const immutable = { "cache-control": "public, max-age=31536000, immutable" }
const unpacked = promisify(gunzip)
/** The longest address of a file. */
const longest = 500

/**
 * Serves the scripts, styles and fonts of a build, whose names change with their content, under a prefix. A page loads
 * about fifty of them at once, so each is compressed only once. A page of another node may need files of its build.
 */
export function createStaticFiles({ directory, prefix, shared, onError }: StaticFilesDeps): StaticFiles {
  const files = listFiles(directory, prefix)
  shared?.share(files).catch(onError)
  // Anyone may ask for names that nobody has.
  const asking = createFewAtOnce({ atOnce: 8, waiting: 100 })
  const encoded = new Map<string, Promise<Uint8Array>>()
  const encodedOnce = (key: string, make: () => Promise<Uint8Array>) => {
    const made = encoded.get(key) ?? make()
    encoded.set(key, made)
    made.catch(() => encoded.delete(key))
    return made
  }
  const serveShared = async (address: string, req: IncomingMessage, res: ServerResponse): Promise<boolean> => {
    const type = types[path.extname(address)]
    if (shared === null || type === undefined || !address.startsWith(prefix) || address.length > longest) return false
    const gzipped = await asking(() => shared.get(address))?.catch((error: unknown) => {
      onError(error)
      return null
    })
    if (!gzipped) return false
    const isWanted = /\bgzip\b/.test(String(req.headers["accept-encoding"]))
    const bytes = isWanted ? gzipped : await unpacked(gzipped)
    res.writeHead(200, {
      ...{ "content-type": type, "content-length": bytes.byteLength, vary: "accept-encoding", ...immutable },
      ...(isWanted && { "content-encoding": "gzip" }),
    })
    res.end(req.method === "HEAD" ? undefined : bytes)
    return true
  }
  return {
    async serve(req, res) {
      if (!isRead(req)) return false
      const address = req.url?.split("?", 1)[0] ?? ""
      const file = files.get(address)
      if (file === undefined) return serveShared(address, req, res)
      const type = types[path.extname(file)]
      if (type === undefined) return false
      // An installation that is replaced takes the files of a running process away.
      const body = await readFile(file).catch(() => null)
      if (body === null) return serveShared(address, req, res)
      const isPacked = packed.has(path.extname(file))
      const encoding = isPacked ? null : wantedEncoding(req, body.byteLength)
      const bytes =
        encoding === null ? body : await encodedOnce(`${encoding} ${file}`, () => encode(body, encoding, "kept"))
      res.writeHead(200, {
        "content-type": type,
        "content-length": bytes.byteLength,
        ...immutable,
        ...(!isPacked && { vary: "accept-encoding" }),
        ...(encoding !== null && { "content-encoding": encoding }),
      })
      res.end(req.method === "HEAD" ? undefined : bytes)
      return true
    },
  }
}

function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD"
}

/** The files by their addresses. Only files that exist at the start are served, so no address can lead elsewhere. */
function listFiles(directory: string, prefix: string): ReadonlyMap<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [prefix + path.relative(directory, file).split(path.sep).join("/"), file]
    }),
  )
}
