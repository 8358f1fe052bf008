import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { usualLimits } from "@docket/core/limits-config"
import { DCLinter } from "dclint"
import { validate } from "dockerfile-utils"
import { expect, it, onTestFinished } from "vitest"
import { parseOptions } from "../options.ts"

const fileOf = (name: string) => fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(fileOf(name), "utf8")

/** Each file is checked by the program that reads it; `proxies.test.ts` runs nginx and Caddy with theirs. */
it.for([
  ["docket.service", "systemd-analyze", ["verify", fileOf("docket.service")]],
  ["Caddyfile", "caddy", ["validate", "--adapter", "caddyfile", "--config", fileOf("Caddyfile")]],
  ["docket", "bash", ["-n", fileOf("docket")]],
] as const)("%s is accepted by %s", ([, program, args], { skip }) => {
  const env = { PATH: process.env.PATH, HOME: "/tmp" }
  const { error, status, stderr } = spawnSync(program, args, { encoding: "utf8", env })
  if (error) return skip(`${program} is not on this machine`)
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/unknown|failed|invalid|error/i)])
})

/** Tested under systemd: with any of these options bubblewrap cannot start; with the last, Node cannot either. */
const breaking = [
  ...["RestrictNamespaces", "ProcSubset", "ProtectHostname", "ProtectKernelTunables", "ProtectKernelLogs"],
  ...["RestrictSUIDSGID", "MemoryDenyWriteExecute"],
]

it.each(breaking)("the unit omits %s and explains why", (option) => {
  const unit = textOf("docket.service")
  expect(unit).not.toMatch(new RegExp(`^ *${option}\\s*=`, "m"))
  expect(unit).toMatch(new RegExp(`^#.*\\b${option}\\b`, "m"))
})

it("the unit grants no capabilities, because bubblewrap refuses to start with them", () => {
  expect(textOf("docket.service").match(/^(?:Ambient|CapabilityB).*$/gm)).toEqual([
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
  ])
})

it("unit and container limits exceed the combined limits of all commands", () => {
  const unit = textOf("docket.service")
  const { all } = usualLimits(8 * 1024 ** 3)
  const tasks = Number(/^TasksMax=(\d+)$/m.exec(unit)?.[1])
  expect(tasks).toBeGreaterThan(all.processes)
  expect(Number(/^MemoryMax=(\d+)%$/m.exec(unit)?.[1])).toBeGreaterThan(75)
  // Needed to create control groups for commands.
  expect(unit).toMatch(/^Delegate=yes$/m)
  expect(unit).toMatch(/^ProtectControlGroups=no$/m)
  const compose = textOf("compose.yaml")
  expect(Number(/^ {4}pids_limit: (\d+)$/m.exec(compose)?.[1])).toBe(tasks)
  expect(compose).toMatch(/^ {4}mem_limit: \$\{DOCKET_MEMORY:-8g\}$/m)
})

it("the unit allows bubblewrap's system calls and denies others with an error", () => {
  const [, allowed = ""] = /^SystemCallFilter=(.*)$/m.exec(textOf("docket.service")) ?? []
  expect(allowed.split(" ")).toEqual(expect.arrayContaining(["@system-service", "@mount", "sethostname"]))
  expect(textOf("docket.service")).toMatch(/^SystemCallErrorNumber=EPERM$/m)
})

/** Runs the `docket` script of a server with fake programs. Returns the program that it executes, and its arguments. */
function runOnServer(args: string[], uid: string): string[] {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-deploy-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, script] of [
    ["id", `echo ${uid}`],
    ...["sudo", "systemd-run"].map((each) => [each, `printf '%s\\0' ${each} "$@"`]),
  ] as const) {
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(directory, name), 0o755)
  }
  const env = { PATH: `${directory}:/usr/bin:/bin` }
  const { status, stdout } = spawnSync(fileOf("docket"), args, { encoding: "utf8", env, cwd: "/usr" })
  expect(status).toBe(0)
  return stdout.split("\0").slice(0, -1)
}

it("the server's docket command runs with the unit's settings and unchanged arguments", () => {
  const args = ["run", "what is $HOME? $A %h \"q\"  'p'", "--data", "/other", ""]
  expect(runOnServer(args, "1000")).toEqual(["sudo", "--", fileOf("docket"), ...args])
  const [program, ...given] = runOnServer(args, "0")
  expect(program).toBe("systemd-run")
  const unit = textOf("docket.service")
  const ofUnit = (name: string) => new RegExp(`^${name}=(\\S+)$`, "m").exec(unit)?.[1]
  expect(given).toEqual(
    expect.arrayContaining([
      `--uid=${ofUnit("User")}`,
      `--gid=${ofUnit("Group")}`,
      `--property=EnvironmentFile=${ofUnit("EnvironmentFile")}`,
      `--setenv=${ofUnit("Environment")}`,
      `--setenv=DOCKET_DATA=${/ --data (\S+)/.exec(unit)?.[1]}`,
      "--property=WorkingDirectory=-/usr",
    ]),
  )
  // In systemd files, a dollar sign is written twice.
  const typed = args.map((arg) => arg.replaceAll("$", "$$$$"))
  const start = / (\S+ node \S+) serve/.exec(` ${/^ExecStart=(.*)$/m.exec(unit)?.[1]}`)?.[1]?.split(" ") ?? []
  expect(given.slice(given.indexOf("--"))).toEqual(["--", ...start, ...typed])
})

/**
 * Linter rules for Compose that are errors here, except the one against ports open to the world: the proxy needs them.
 */
const linter = new DCLinter({
  rules: { "no-unbound-port-interfaces": 0 },
  quiet: false,
  debug: false,
  exclude: [],
})

it.each(["compose.yaml", "compose.sandbox.yaml"])("%s is valid for Compose and free of linter errors", async (name) => {
  // The type is written here because the declarations of dclint refer to types that the package does not include.
  const results: { messages: { type: string }[] }[] = await linter.lintFiles([fileOf(name)], false)
  const errors = results.flatMap(({ messages }) => messages.filter(({ type }) => type === "error"))
  expect([results.length, errors]).toEqual([1, []])
})

it("the Dockerfile uses only instructions, flags and arguments that Docker knows", () => {
  expect(validate(textOf("Dockerfile"))).toEqual([])
  expect(validate(textOf("Dockerfile").replace("HEALTHCHECK --interval", "HEALTHCHECK --every"))).toMatchObject([
    { message: "Unknown flag: every" },
  ])
})

it("the unit and the image start the service with valid options", () => {
  const unit = /^ExecStart=.* serve (.*)$/m.exec(textOf("docket.service"))?.[1]?.split(" ") ?? []
  // The first four words are the programs and the script.
  const image = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(textOf("Dockerfile"))?.[1] ?? "[]").slice(4)
  const compose = JSON.parse(/command: (\["--port".*)$/m.exec(textOf("compose.yaml"))?.[1] ?? "[]")
  for (const args of [unit, [...image, ...compose]]) {
    // Other paths, because Docket may be set up on the machine that runs the test.
    const words = args.map((word: string) =>
      word === "0.0.0.0" ? "127.0.0.1" : word.replace(/^\/(var|data)/, "/none/$1"),
    )
    expect(() => parseOptions(words, "/")).toThrow(expect.objectContaining({ code: "unsafe_bind" }))
    expect(() => parseOptions(words, "/")).toThrow("docket team init")
  }
})

it("the image holds the package and no tools to build it", () => {
  const dockerfile = textOf("Dockerfile")
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...textOf("compose.yaml").matchAll(/^ +image: (\S+)/gm)]
  for (const [, image = ""] of images) expect(image).toMatch(/^(node|postgres|caddy):[\w.-]+$/)
  expect(dockerfile).toMatch(/^COPY docket-\*\.tgz /m)
  expect(dockerfile).not.toMatch(/pnpm|COPY \. /)
})
