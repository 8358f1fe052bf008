import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"
import { z } from "zod"
import { serverProgram } from "../server-program.ts"

const root = await realpath(await mkdtemp(path.join(tmpdir(), "docket-config-")))
afterAll(() => rm(root, { recursive: true, force: true }))

test("docket config shows values with file and line, problems, and no secret", async () => {
  const project = path.join(root, "project")
  const own = path.join(root, ".config/docket/docket.json")
  await mkdir(project)
  await mkdir(path.dirname(own), { recursive: true })
  const provider = { p: { options: { baseURL: "http://127.0.0.1:9/v1", apiKey: "written-secret" } } }
  await writeFile(own, JSON.stringify({ provider, small_model: "{env:LAB_MODEL}", modle: "a/b" }))
  await writeFile(path.join(project, "docket.json"), '{\n  "permission": { "bash": "deny" }\n}')
  await mkdir(path.join(project, ".claude"))
  const claude = { hooks: {}, permissions: { deny: ["Bash(curl:*)"] } }
  await writeFile(path.join(project, ".claude/settings.json"), JSON.stringify(claude))
  await writeFile(path.join(project, ".mcp.json"), "{}")
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    LAB_MODEL: "a/small",
    DOCKET_CONFIG_CONTENT: '{ "model": "a/env" }',
  }
  const data = path.join(root, "data")
  const options = ["--no-web", "--json", "--port", "0", "--data", data, "--config", '{ "delegation": { "depth": 4 } }']
  const server = spawn(process.execPath, [serverProgram, ...options, "--project", project, "--trust"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  })
  try {
    const [line] = await once(createInterface(server.stdout), "line")
    const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(line)))
    const main = fileURLToPath(new URL("../main.js", import.meta.url))
    const docket = (...args: string[]) =>
      promisify(execFile)(process.execPath, [main, "config", ...args, "--data", data, "--project", project], {
        env,
      }).then(
        ({ stdout }) => stdout,
        (error: { stderr: string }) => error.stderr,
      )

    const text = await docket()
    expect(text).toMatch(/^model +a\/env +DOCKET_CONFIG_CONTENT:1$/m)
    expect(text).toMatch(/^small_model +\{env:LAB_MODEL\} +/m)
    expect(text).toMatch(/^delegation\.depth +4 +--config:1$/m)
    expect(text).toMatch(/^share +manual +default$/m)
    expect(text).toContain(`${path.join(project, "docket.json")}:2`)
    expect(text).toContain('unknown key "modle", ignored. Did you mean "model"?')
    expect(text).toContain(`${own} (user)`)
    expect(text).not.toContain("read when they are there")
    await rename(own, `${own}.away`)
    await expect.poll(() => docket()).toContain(`read when they are there:\n  ${own}\n`)
    await rename(`${own}.away`, own)
    await expect.poll(() => docket()).toContain(`${own} (user)`)
    expect(text).toMatch(/^permission\.bash\.curl\* +deny +.*settings\.json:1$/m)
    expect(text.slice(text.indexOf("of other programs:"))).toContain(
      [
        "of other programs:",
        `  ${path.join(project, ".claude/settings.json")} (denials count): Only its 1 denial counts, trusted or not; \`docket migrate\` shows what else would be in a docket.json.`,
        `  ${path.join(project, ".claude/settings.json")} (ignored): None of its hooks can be run.`,
        `  ${path.join(project, ".mcp.json")} (ignored): It has no MCP server that can be read.`,
      ].join("\n"),
    )
    expect(text).not.toContain("written-secret")

    // The heading, two rows, and nothing after the last newline.
    expect((await docket("get", "permission.bash")).split("\n")).toHaveLength(4)
    expect(await docket("get", "permision")).toMatch(/nothing sets "permision"; there is something in: .*permission/)
    const json = z
      .object({ values: z.array(z.object({ path: z.array(z.string()) })) })
      .parse(JSON.parse(await docket("get", "provider", "--json")))
    expect(json.values.map((value) => value.path.join("."))).toEqual([
      "provider.p.options.baseURL",
      "provider.p.options.apiKey",
    ])

    await writeFile(path.join(project, "docket.json"), '{ "model": "a/other", "small_model": "a/new" }')
    await expect.poll(() => docket()).toContain("2 things that this project brings do not count")
    expect(await docket()).not.toContain("is left out")

    const schema = await fetch(`${url}/docket.schema.json`)
    expect([schema.status, await schema.json()]).toMatchObject([200, { properties: { model: { type: "string" } } }])
  } finally {
    server.kill("SIGTERM")
    await once(server, "exit")
  }
})
