import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { loadConfig } from "../../setup/config/load-config.ts"
import { noPrograms } from "../../setup/config/test/no-programs.ts"

/** The `sandbox` that applies with these of the user and of a project, which the user trusts or not. */
async function load(own: object, project: object, { trusted = false } = {}) {
  const root = mkdtempSync(path.join(tmpdir(), "docket-sandbox-config-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const worktree = path.join(root, "project")
  mkdirSync(path.join(root, ".config", "docket"), { recursive: true })
  mkdirSync(worktree)
  writeFileSync(path.join(root, ".config", "docket", "docket.json"), JSON.stringify({ sandbox: own }))
  writeFileSync(path.join(worktree, "docket.json"), JSON.stringify({ sandbox: project, model: "a/b" }))
  const input = { home: root, env: {}, programs: noPrograms, project: { directory: worktree, worktree } }
  const seen = await loadConfig({ ...input, trustedIn: async () => [] })
  const trustedIn = async () => (trusted ? [{ hash: seen.trust.hash ?? "" }] : [])
  const { config, problems } = await loadConfig({ ...input, trustedIn })
  return { sandbox: config.sandbox, problems: problems.map(({ message }) => message), worktree }
}

test.each([true, false])("a project can only tighten the sandbox, never loosen it (trusted: %s)", async (trusted) => {
  const own = {
    mode: "on",
    network: { allow: ["a.example", "b.example"] },
    write: ["/srv/own"],
    hide: ["/srv/hidden"],
    limits: { command: { processes: 500 } },
  }
  const asked = {
    mode: "required",
    network: { allow: ["b.example", "evil.example"] },
    write: ["/"],
    hide: ["keys"],
    limits: { command: { processes: 900, files: 64 } },
  }
  const { sandbox, problems, worktree } = await load(own, asked, { trusted })
  expect(sandbox).toEqual({
    mode: "required",
    network: { allow: ["b.example"] },
    write: ["/srv/own"],
    hide: ["/srv/hidden", path.join(worktree, "keys")],
    limits: { command: { processes: 500, files: 64 } },
  })
  expect(problems.filter((text) => text.includes("can only make the sandbox tighter"))).toEqual([
    expect.stringContaining('"sandbox.network.allow"'),
    expect.stringContaining('"sandbox.write"'),
    expect.stringContaining('"sandbox.limits.command.processes"'),
  ])
})

test.each(["on", "required"])("a project cannot turn the sandbox off against the user's mode %s", async (mode) => {
  const { sandbox, problems } = await load({ mode }, { mode: "off" }, { trusted: true })
  expect(sandbox?.mode).toBe(mode)
  expect(problems.join()).toContain('"sandbox.mode" is left out')
})

test.each([{ mode: "requird" }, { moed: "required" }, "required"])(
  "a sandbox section that cannot be read counts as required: %j",
  async (own) => {
    const { sandbox, problems } = await load(own as object, {})
    expect(sandbox?.mode).toBe("required")
    expect(problems.join()).toContain("Commands run in the sandbox or not at all")
  },
)

test.each([true, false])("a project chooses no place, engine or image (trusted: %s)", async (trusted) => {
  const docker = { image: "own:1" }
  const own = { executor: "docker", docker }
  const asked = { executor: "local", docker: { image: "evil:1", host: "tcp://evil.example:2375" } }
  const { sandbox, problems } = await load(own, asked, { trusted })
  expect(sandbox).toMatchObject({ executor: "docker", docker })
  const told = problems.filter((text) => text.includes("can only make the sandbox tighter"))
  expect(told).toEqual([expect.stringContaining('"sandbox.executor"'), expect.stringContaining('"sandbox.docker"')])
  const plain = await load({}, { executor: "docker", docker }, { trusted })
  expect(plain.sandbox?.executor).toBeUndefined()
  expect(plain.sandbox?.docker).toBeUndefined()
})

test.each([
  [{ image: "own:1", host: "https://engine.example" }, /unix:\/\/\/run\/docker.sock/],
  [{ image: "--privileged" }, /write an image/],
  [{ image: "own:1", mounts: ["/"] }, /mounts/],
])("unreadable settings of containers let no command out: %j", async (docker, says) => {
  const { sandbox, problems } = await load({ executor: "docker", docker }, {})
  expect(problems.join("\n")).toMatch(says)
  expect(sandbox?.mode).toBe("required")
})
