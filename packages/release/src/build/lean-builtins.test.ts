import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { expect, test } from "vitest"
import { leanBuiltins } from "./lean-builtins.ts"

const run = promisify(execFile)

const program = `
import http, { createServer } from "node:http"
import { createSecureContext } from "tls"
import { createRequire } from "node:module"
const same = createServer === createRequire(import.meta.url)("http").createServer && http.createServer === createServer
const undici = process.moduleLoadList.some((name) => name.includes("undici/undici"))
console.log(JSON.stringify({ same, secure: typeof createSecureContext, undici }))`

test("importing node:http in a bundle does not load undici", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "docket-lean-"))
  try {
    const source = path.join(root, "main.mjs")
    await writeFile(source, program)
    const plain = JSON.parse((await run(process.execPath, [source])).stdout)
    expect(plain).toEqual({ same: true, secure: "function", undici: true })
    await using bundle = await rolldown({
      ...{ cwd: root, platform: "node" as const, tsconfig: false as const, plugins: [leanBuiltins()] },
      input: { main: source },
      external: [/^node:(?!(?:http|tls)$)/],
    })
    await bundle.write({ dir: path.join(root, "dist"), format: "es", entryFileNames: "[name].mjs" })
    const lean = JSON.parse((await run(process.execPath, [path.join(root, "dist/main.mjs")])).stdout)
    expect(lean).toEqual({ same: true, secure: "function", undici: false })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
