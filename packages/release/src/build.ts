import path from "node:path"
import { parseArgs } from "node:util"
import { buildPrograms, buildWeb, linkDependencies } from "./build/build-package.ts"

// For npm start: builds what a checkout runs, in the form in which it is installed elsewhere.
const root = path.join(import.meta.dirname, "../../..")
const { values } = parseArgs({ options: { directory: { type: "string" }, web: { type: "boolean" } } })
const { directory, web } = values
if (directory === undefined) throw new Error("--directory names the directory to build in")
const request = { root, directory: path.resolve(directory) }
if (web) await buildWeb(request)
else {
  await buildPrograms(request)
  await linkDependencies(request)
}
