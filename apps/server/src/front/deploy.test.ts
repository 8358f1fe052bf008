import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { DCLinter } from "dclint"
import { validate } from "dockerfile-utils"
import { expect, it } from "vitest"
import { parseOptions } from "../options.ts"

const fileOf = (name: string) => fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url))
const textOf = (name: string) => readFileSync(fileOf(name), "utf8")

/** Each by the program that reads it; `proxies.test.ts` runs nginx and Caddy with theirs. */
it.each([
  ["docket.service", "systemd-analyze", ["verify", fileOf("docket.service")]],
  ["Caddyfile", "caddy", ["validate", "--adapter", "caddyfile", "--config", fileOf("Caddyfile")]],
] as const)("%s holds for %s", (_name, program, args) => {
  const env = { PATH: process.env.PATH, HOME: "/tmp" }
  const { error, stderr } = spawnSync(program, args, { encoding: "utf8", env })
  // biome-ignore lint/suspicious/noConsole: who reads the run is told what was not tried
  if (error) return console.warn(`not tried: ${program} is not on this machine`)
  // Node may stand elsewhere on the machine of a test.
  const problems = stderr.split("\n").filter((line) => !line.includes("is not executable"))
  expect(problems.join("\n")).not.toMatch(/unknown|failed|invalid|error/i)
})

/** Rules of the linter for Compose that are errors here, but for the one that wants no port open to the world: the proxy's are. */
const linter = new DCLinter({
  rules: { "no-unbound-port-interfaces": 0 },
  ...{ quiet: false, debug: false, exclude: [] },
})

it("compose.yaml is what Compose reads, without what its linter takes for an error", async () => {
  // Its declarations name types that it does not bring along.
  const results: { messages: { type: string }[] }[] = await linter.lintFiles([fileOf("compose.yaml")], false)
  const errors = results.flatMap(({ messages }) => messages.filter(({ type }) => type === "error"))
  expect([results.length, errors]).toEqual([1, []])
})

it("the Dockerfile has no instruction, flag or argument that Docker does not know", () => {
  expect(validate(textOf("Dockerfile"))).toEqual([])
  expect(validate(textOf("Dockerfile").replace("HEALTHCHECK --interval", "HEALTHCHECK --every"))).toMatchObject([
    { message: "Unknown flag: every" },
  ])
})

it("the unit and the image start the service with options that it takes", () => {
  const unit = /^ExecStart=\S+ \S+ serve (.*)$/m.exec(textOf("docket.service"))?.[1]?.split(" ") ?? []
  const image = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(textOf("Dockerfile"))?.[1] ?? "[]").slice(4)
  const more = JSON.parse(/command: (\["--port".*)$/m.exec(textOf("compose.yaml"))?.[1] ?? "[]")
  for (const args of [unit, [...image, ...more]]) {
    // A Docket may be set up on the machine of a test.
    const words = args.map((word: string) =>
      word === "0.0.0.0" ? "127.0.0.1" : word.replace(/^\/(var|data)/, "/none/$1"),
    )
    expect(() => parseOptions(words, "/")).toThrow(expect.objectContaining({ code: "unsafe_bind" }))
    expect(() => parseOptions(words, "/")).toThrow("docket team init")
  }
})

it("the image is made of official ones, and of the versions that the project names", () => {
  const dockerfile = textOf("Dockerfile")
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...textOf("compose.yaml").matchAll(/^ +image: (\S+)/gm)]
  for (const [, image = ""] of images) expect(image).toMatch(/^(node|postgres|caddy):[\w.-]+$/)
  const { packageManager } = JSON.parse(readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"))
  expect(dockerfile).toContain(`npm install --global ${packageManager}`)
})
