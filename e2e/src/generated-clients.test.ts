import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { inject, onTestFinished } from "vitest"
import type { DocketServer } from "./fixtures/docket-server.ts"
import { install } from "./fixtures/fresh-project.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { expect, test } from "./fixtures/service-test.ts"

const run = promisify(execFile)
const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url))
/** Generators that bring their program along; later versions load theirs from elsewhere. They read no OpenAPI 3.1. */
const generators = { go: "1.0.18-4.3.1", python: "1.0.18-5.0.0-beta2" }
/** Where Debian's packages of Go's libraries are. */
const goLibraries = "/usr/share/gocode"

test.override({ config: { delegation: { envelope: false }, permission: { bash: "ask" } } })

test("a generated Python client drives a turn with a permission", async ({ server, model, projectID, skip }) => {
  if (!inject("full")) return skip("only npm run test:full generates clients")
  const python = await findPython()
  if (python === null) return skip("there is no Python 3 with urllib3, six and dateutil")
  const generated = await generateClient("python", server)
  if (typeof generated === "string") return skip(generated)
  const expected = scriptTurn(model)
  expect(projectID).toMatch(/^prj_/)
  const env = { PYTHONPATH: generated.client, ...accessTo(server) }
  const { stdout } = await run(python, [path.join(fixtures, "generated-turn.py")], { env })
  expect(JSON.parse(stdout)).toEqual(expected)
})

test("a generated Go client drives a turn with a permission", async ({ server, model, projectID, skip }) => {
  if (!inject("full")) return skip("only npm run test:full generates clients")
  if (!(await works("go", "version"))) return skip("there is no Go")
  if (!existsSync(path.join(goLibraries, "src/golang.org/x/oauth2")))
    return skip("Go's oauth2 is not there (Debian: golang-golang-x-oauth2-dev)")
  const generated = await generateClient("go", server)
  if (typeof generated === "string") return skip(generated)
  await completeGoClient(generated.client)
  const home = path.join(generated.folder, "go")
  const optional = path.join(home, "src/github.com/antihax/optional")
  await mkdir(optional, { recursive: true })
  await cp(path.join(fixtures, "go/optional.go"), path.join(optional, "optional.go"))
  await symlink(generated.client, path.join(home, "src/openapi"))
  const env = {
    ...{ GO111MODULE: "off", GOPATH: [home, goLibraries].join(path.delimiter), GOFLAGS: "" },
    GOCACHE: path.join(generated.folder, "go-cache"),
    ...accessTo(server),
  }
  const program = path.join(generated.folder, "turn")
  await run("go", ["build", "-o", program, path.join(fixtures, "go/generated-turn.go")], { env, cwd: generated.folder })
  const expected = scriptTurn(model)
  expect(projectID).toMatch(/^prj_/)
  const { stdout } = await run(program, [], { env })
  expect(JSON.parse(stdout)).toEqual(expected)
})

/** Writes the client of the service's document. @returns where it is, or why it cannot be made */
async function generateClient(language: keyof typeof generators, server: DocketServer) {
  if (!(await works("java", "-version"))) return "the generator needs Java"
  const folder = await mkdtemp(path.join(tmpdir(), "docket-generated-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const document = await (await fetch(`${server.url}/v1/openapi-3.0.json`)).text()
  await writeFile(path.join(folder, "openapi.json"), document)
  const dependencies = { "@openapitools/openapi-generator-cli": generators[language] }
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies }))
  const reason = await install(folder)
  if (reason !== null) return reason
  const program = path.join(folder, "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar")
  const options = ["generate", "-i", "openapi.json", "-g", language, "-o", "client", "--skip-validate-spec"]
  await run("java", ["-jar", program, ...options], { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  return { folder, client: path.join(folder, "client") }
}

/**
 * What the generator for Go leaves to whoever uses the client: it has no types for unions of schemas, and sends an
 * object that was left out as an empty one.
 */
async function completeGoClient(client: string): Promise<void> {
  const unions = new Set<string>()
  for (const name of (await readdir(client)).filter((file) => file.endsWith(".go"))) {
    const file = path.join(client, name)
    const text = await readFile(file, "utf8")
    for (const union of text.match(/\b(?:One|Any)Of[a-z]\w*/g) ?? []) unions.add(union)
    const optional = /^(\t\w+ )((?!OneOf|AnyOf)[A-Z]\w* `json:"\w+,omitempty"`)$/gm
    await writeFile(file, text.replace(optional, "$1*$2"))
  }
  const lines = [...unions].sort().map((name) => `type ${name} interface{}`)
  await writeFile(path.join(client, "unions.go"), ["package openapi", ...lines, ""].join("\n"))
}

/** Has the model ask for a command and then answer. @returns what the program should say of the turn */
function scriptTurn(model: ScriptedModel) {
  const call = { tool: "bash", args: { command: "touch made-by-program", description: "Make a file" } }
  model.script({ "Make a file": [{ calls: [call] }, { text: "The file is there." }] })
  const texts: unknown = expect.arrayContaining(["The file is there."])
  return { asked: ["bash"], status: "completed", texts }
}

function accessTo({ url, token }: DocketServer) {
  return { PATH: process.env.PATH, DOCKET_ADDRESS: url, DOCKET_KEY: token }
}

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
