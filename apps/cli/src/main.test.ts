import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import packageJson from "../package.json" with { type: "json" }

const program = fileURLToPath(new URL("main.js", import.meta.url))

it("the command reads compiled code from its second start on", () => {
  const start = () => {
    // Node's own trace. The location of the cache must not come from the environment of the test.
    const env = { ...process.env, NODE_DEBUG_NATIVE: "COMPILE_CACHE", NODE_COMPILE_CACHE: undefined }
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, "--help"], { env, encoding: "utf8" })
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: docket") })
    return stderr
  }
  start()
  expect(start()).toMatch(/V8 code cache for ESM \S*apps\/cli\/src\/docket\.ts was accepted/)
})

it.each([
  [["help", "sesions"], 2, /^error: unknown command "sesions"\. Did you mean "sessions"/],
  [["help", "nonsense"], 2, /^error: unknown command "nonsense"\. /],
  [["help", "sessions", "shwo"], 2, /^error: unknown command "shwo"\. Did you mean "show"/],
  [["sessions", "help", "nonsense"], 2, /^error: unknown command "nonsense"\. All of them: docket sessions --help\n$/],
  [["models", "lsit"], 2, /^error: unknown command "lsit"\. Did you mean "list"\? All of them: docket models --help/],
  [
    ["attach", "nix"],
    2,
    /^error: .*'nix' is invalid.* Ids of sessions begin with ses_; docket sessions lists them\.\n$/,
  ],
  [["run", "--session", "ses_nix", "go"], 2, /^error: .*'ses_nix' is invalid.*; docket sessions lists them\.\n$/],
  [["sessions", "archive", "nix"], 2, /^error: .*'nix' is invalid.*; docket sessions lists them\.\n$/],
  [["team", "workspace", "help", "x"], 2, /^error: unknown command "x"\. .*: docket team workspace --help/],
] as const)("docket %j names what is unknown", (args, code, words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
  expect([status, stdout, stderr]).toEqual([code, "", expect.stringMatching(words)])
})

it.each([
  [["help"], "Usage: docket [options] [command]"],
  [["help", "serve"], "Usage: docket serve"],
  [["help", "run"], "Usage: docket run"],
  [["help", "sessions", "show"], "Usage: docket sessions show"],
])("docket %j shows that help", (args, words) => {
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
  expect([status, stdout]).toEqual([0, expect.stringContaining(words)])
})

it.each(["12.22.12", "18.20.0"])("on Node %s the command prints the required version in one sentence", (version) => {
  const older = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "${version}" })`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", older, program, "--help"], {
    encoding: "utf8",
  })
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  expect(stderr).toMatch(new RegExp(`^docket: needs Node 24 or newer, and this is Node ${version}: [^\n]+\n$`))
})

it("the entry file has only syntax that an old Node reads", () => {
  const source = readFileSync(program, "utf8")
  expect(source).not.toMatch(/^(?:import|export|await)\b|\?\.|\?\?/m)
})

it.each([[["--version"]], [["serve", "--version"]]])("the command prints its version for %j", (args) => {
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" })
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${packageJson.version}\n` })
})
