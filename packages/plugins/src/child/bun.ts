/** What a plugin that was made for Bun finds of it here: its shell, and what it does with files. */
import { glob, readFile, stat, writeFile } from "node:fs/promises"
import { join, matchesGlob } from "node:path"
import { argv, env } from "node:process"
import { fileURLToPath } from "node:url"

/** The plugin's shell, which its process makes for its directory. */
export const $ = (...args: unknown[]): unknown =>
  (globalThis as unknown as { docketShell(...given: unknown[]): unknown }).docketShell(...args)

export class Glob {
  readonly #pattern: string

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  match(path: string): boolean {
    return matchesGlob(path, this.#pattern)
  }

  async *scan(given: string | { cwd?: string; absolute?: boolean } = {}): AsyncIterable<string> {
    const { cwd = process.cwd(), absolute = false } = typeof given === "string" ? { cwd: given } : given
    for await (const found of glob(this.#pattern, { cwd })) yield absolute ? join(cwd, found) : found
  }
}

const pathOf = (file: string | URL) => (file instanceof URL ? fileURLToPath(file) : file)

export function file(name: string | URL) {
  const path = pathOf(name)
  return {
    name: path,
    text: () => readFile(path, "utf8"),
    json: async (): Promise<unknown> => JSON.parse(await readFile(path, "utf8")),
    bytes: async () => new Uint8Array(await readFile(path)),
    arrayBuffer: async () => new Uint8Array(await readFile(path)).buffer,
    exists: () =>
      stat(path).then(
        (found) => found.isFile(),
        () => false,
      ),
  }
}

export async function write(name: string | URL, data: string | Uint8Array): Promise<number> {
  await writeFile(pathOf(name), data)
  return Buffer.byteLength(data)
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export default { $, Glob, file, write, sleep, env, argv }
