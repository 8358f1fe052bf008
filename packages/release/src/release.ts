import path from "node:path"
import { parseArgs } from "node:util"
import { makeRelease } from "./release/make-release.ts"

// npm run release -- --out DIR: makes the files of a release and prints their paths.
const root = path.join(import.meta.dirname, "../../..")
const { values } = parseArgs({ options: { out: { type: "string" } } })
if (values.out === undefined) throw new Error("--out names the directory for the files of the release")
for (const file of await makeRelease({ root, out: path.resolve(values.out) })) process.stdout.write(`${file}\n`)
