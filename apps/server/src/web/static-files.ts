import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import path from "node:path"
import { encode, wantedEncoding } from "@docket/api"

export interface StaticFiles {
  /** False when it is not one of the files: nothing was answered. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<boolean>
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

/**
 * Serves the scripts, styles and fonts of a build, whose names change with their content, under a prefix. A page loads
 * about fifty of them at once, so each is compressed only once.
 */
export function createStaticFiles(directory: string, prefix: string): StaticFiles {
  const files = listFiles(directory, prefix)
  const encoded = new Map<string, Promise<Uint8Array>>()
  const encodedOnce = (key: string, make: () => Promise<Uint8Array>) => {
    const made = encoded.get(key) ?? make()
    encoded.set(key, made)
    made.catch(() => encoded.delete(key))
    return made
  }
  return {
    async serve(req, res) {
      const file = files.get(req.url?.split("?", 1)[0] ?? "")
      const type = file && types[path.extname(file)]
      if (file === undefined || type === undefined || !isRead(req)) return false
      const body = await readFile(file)
      const isPacked = packed.has(path.extname(file))
      const encoding = isPacked ? null : wantedEncoding(req, body.byteLength)
      const bytes =
        encoding === null ? body : await encodedOnce(`${encoding} ${file}`, () => encode(body, encoding, "kept"))
      res.writeHead(200, {
        "content-type": type,
        "content-length": bytes.byteLength,
        "cache-control": "public, max-age=31536000, immutable",
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
