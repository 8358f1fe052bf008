import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import path from "node:path"
import { encode, wantedEncoding } from "@docket/api"

export interface StaticFiles {
  /** False for what is none of the files: nothing was answered. */
  serve(req: IncomingMessage, res: ServerResponse): Promise<boolean>
}

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "application/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
}
/** Compressed by what they are. */
const packed = new Set([".woff2"])

/**
 * Serves the code, styles and fonts of a build, whose names change with what is in them, under a prefix of addresses. A
 * page asks for fifty of them at once: each is compressed once, not for each who asks.
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

/** The files by their addresses. Only what was there at the start is served, so that no address leads elsewhere. */
function listFiles(directory: string, prefix: string): ReadonlyMap<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [prefix + path.relative(directory, file).split(path.sep).join("/"), file]
    }),
  )
}
