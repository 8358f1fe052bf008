import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { inject, onTestFinished } from "vitest"
import { install } from "./fixtures/fresh-project.ts"
import { expect, test } from "./fixtures/service-test.ts"

const run = promisify(execFile)
const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url))
/** Brings its program along; later versions load theirs from elsewhere. It reads no OpenAPI 3.1. */
const generator = { "@openapitools/openapi-generator-cli": "1.0.18-5.0.0-beta2" }

test.override({ config: { delegation: { envelope: false }, permission: { bash: "ask" } } })

test("a generated Python client drives a turn with a permission", async ({ server, model, projectID, skip }) => {
  if (!inject("full")) return skip("only npm run test:full generates clients")
  const python = await findPython()
  if (python === null) return skip("there is no Python 3 with urllib3, six and dateutil")
  if (!(await works("java", "-version"))) return skip("the generator needs Java")
  const folder = await mkdtemp(path.join(tmpdir(), "docket-generated-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const document = await (await fetch(`${server.url}/v1/openapi-3.0.json`)).text()
  await writeFile(path.join(folder, "openapi.json"), document)
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies: generator }))
  const reason = await install(folder)
  if (reason !== null) return skip(reason)
  const program = path.join(folder, "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar")
  const options = ["generate", "-i", "openapi.json", "-g", "python", "-o", "client", "--skip-validate-spec"]
  await run("java", ["-jar", program, ...options], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })

  const call = { tool: "bash", args: { command: "touch made-by-program", description: "Make a file" } }
  model.script({ "Make a file": [{ calls: [call] }, { text: "The file is there." }] })
  expect(projectID).toMatch(/^prj_/)
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: path.join(folder, "client"),
    DOCKET_ADDRESS: server.url,
    DOCKET_KEY: server.token,
  }
  const { stdout } = await run(python, [path.join(fixtures, "generated-turn.py")], { env })
  expect(JSON.parse(stdout)).toEqual({
    asked: ["bash"],
    status: "completed",
    texts: expect.arrayContaining(["The file is there."]),
  })
})

/** A Python 3 that has what generated clients import. */
async function findPython(): Promise<string | null> {
  for (const program of ["python3", "/usr/bin/python3"])
    if (await works(program, "-c", "import urllib3, six, dateutil")) return program
  return null
}

async function works(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  )
}
