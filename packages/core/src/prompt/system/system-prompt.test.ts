import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { findAgent, resolveAgents } from "../../agent/resolve-agents.ts"
import { applyCachePoints } from "./apply-cache-points.ts"
import { findInstructions } from "./find-instructions.ts"
import { instructionProblems } from "./instruction-problems.ts"
import { modelFamily } from "./model-family.ts"
import { systemPrompt } from "./system-prompt.ts"

describe("modelFamily", () => {
  it.each([
    ["claude-sonnet-5", "claude"],
    ["anthropic/claude-opus-5-5", "claude"],
    ["gpt-6-sol", "gpt"],
    ["openai/gpt-5.3-codex", "gpt"],
    ["codex-mini-latest", "gpt"],
    ["gpt-5-chat-latest", "gpt-early"],
    ["gpt-4.1-mini", "gpt-early"],
    ["gpt-oss:120b", "gpt-early"],
    ["chatgpt-4o-latest", "gpt-early"],
    ["o3-mini", "gpt-early"],
    ["models/gemini-3.8-flash", "gemini"],
    ["qwen3-coder:30b", "other"],
    ["photo3-large", "other"],
  ])("%s is %s", (id, family) => expect(modelFamily(id)).toBe(family))
})

describe("systemPrompt", () => {
  const input = {
    agent: findAgent(resolveAgents({}), "build"),
    model: { providerID: "anthropic", modelID: "claude-sonnet-5" },
    directory: "/work/app/web",
    worktree: "/work/app",
    git: true,
    gitState: { branch: "main", ahead: 2, behind: 0, changed: 7 },
    apart: false,
    shell: "bash",
    watched: true,
    tools: new Set(["read", "todowrite"]),
    platform: "linux",
    date: new Date(2026, 10, 21),
    instructions: [{ path: "/work/app/AGENTS.md", content: "Use tabs." }],
    userSystem: "Be brief.",
  }

  it("has a stable first part and puts what varies into the second", () => {
    const [first, second, ...more] = systemPrompt(input)
    expect(more).toEqual([])
    expect(systemPrompt({ ...input, directory: "/elsewhere", instructions: [], date: new Date(0) })[0]).toBe(first)
    expect(first).toContain("todowrite")
    expect(second).toContain("Working directory: /work/app/web\n  Project root: /work/app\n")
    expect(second).toContain("Branch: main (2 ahead of its upstream)")
    expect(second).toContain("Uncommitted changes when this turn began: fewer than 20 files")
    expect(second).toContain("Shell: bash\n  Platform: linux\n")
    expect(second).toMatch(/Saturday,? 21 November 2026/)
    expect(second).toContain('<instructions file="AGENTS.md">\nUse tabs.\n</instructions>\n\nBe brief.')
  })

  it("replaces the default prompt with the agent's, and tells a subagent of its own prompt what it is", () => {
    const agent = findAgent(resolveAgents({ agent: { reviewer: { prompt: "You review." } } }), "reviewer")
    expect(systemPrompt({ ...input, agent })[0]).toBe("You review.")
    expect(systemPrompt({ ...input, agent })[1]).not.toContain("subagent")
    expect(systemPrompt({ ...input, agent, watched: false })[0]).toBe("You review.")
    expect(systemPrompt({ ...input, agent, watched: false })[1]).toContain("Only your last message goes back")
  })

  it("gives hidden agents their prompt only", () => {
    expect(systemPrompt({ ...input, agent: findAgent(resolveAgents({}), "title") })).toHaveLength(1)
  })

  it("differs by model family", () => {
    const of = (modelID: string) => systemPrompt({ ...input, model: { providerID: "x", modelID } })[0]
    expect(new Set(["claude-x", "gpt-6", "gemini-4", "llama"].map(of)).size).toBe(4)
  })
})

describe("findInstructions", () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "docket-instructions-"))
  })
  afterEach(() => rm(root, { recursive: true }))
  const put = async (path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const find = (patterns: string[] = []) =>
    findInstructions({ directory: join(root, "p/a/b"), worktree: join(root, "p"), home: join(root, "home"), patterns })

  it("follows a link inside the project, and none that leaves it", async () => {
    await put("home/.ssh/id_rsa", "secret")
    await put("p/docs/rules.md", "rules")
    await put("p/a/b/keep.md", "")
    await symlink(join(root, "p/docs/rules.md"), join(root, "p/AGENTS.md"))
    await symlink(join(root, "home/.ssh/id_rsa"), join(root, "p/a/b/AGENTS.md"))
    expect((await find([join(root, "p/a/b/*.md")])).map(({ content }) => content)).toEqual(["rules"])
  })

  it("tells which files it leaves out: links that leave the project, and files with secrets", async () => {
    await put("home/.ssh/id_rsa", "secret")
    await put("p/.env", "KEY=secret")
    await put("p/a/CLAUDE.md", "near")
    await symlink(join(root, "home/.ssh/id_rsa"), join(root, "p/AGENTS.md"))
    await symlink(join(root, "p/.env"), join(root, "p/a/AGENTS.md"))
    await symlink(join(root, "home"), join(root, "p/linked"))
    const patterns = [join(root, "p/linked/.ssh/id_rsa"), join(root, "p/.env")]
    expect((await find(patterns)).map(({ content }) => content)).toEqual(["near"])
    const problems = await instructionProblems({
      directory: join(root, "p/a/b"),
      worktree: join(root, "p"),
      home: join(root, "home"),
      patterns,
    })
    expect(problems.map(({ file, message }) => [file.slice(root.length), message])).toEqual([
      ["/p/.env", expect.stringContaining("may hold secrets")],
      ["/p/AGENTS.md", expect.stringContaining("leads out of the project")],
      ["/p/a/AGENTS.md", expect.stringContaining("may hold secrets")],
      ["/p/linked/.ssh/id_rsa", expect.stringContaining("leads out of the project")],
    ])
  })

  it("follows no link out of a directory whose name begins with two dots", async () => {
    await put("home/.ssh/id_rsa", "secret")
    await put("p/AGENTS.md", "root")
    await put("p/..a/README.md", "")
    await symlink(join(root, "home/.ssh/id_rsa"), join(root, "p/..a/AGENTS.md"))
    const place = { directory: join(root, "p/..a"), worktree: join(root, "p"), home: join(root, "home") }
    expect((await findInstructions(place)).map(({ content }) => content)).toEqual(["root"])
  })

  it("tells of a pipe and a directory in a file's place", async () => {
    await put("p/a/AGENTS.md/x", "")
    await put("p/a/CLAUDE.md", "near")
    execFileSync("mkfifo", [join(root, "p/AGENTS.md")])
    const place = { directory: join(root, "p/a"), worktree: join(root, "p"), home: join(root, "home") }
    expect((await findInstructions(place)).map(({ content }) => content)).toEqual(["near"])
    expect((await instructionProblems(place)).map(({ file, message }) => [file.slice(root.length), message])).toEqual([
      ["/p/AGENTS.md", expect.stringContaining("is not a regular file")],
      ["/p/a/AGENTS.md", expect.stringContaining("is a directory")],
    ])
  })

  it("reads the user's file, then the first kind of each directory downward, then patterns", async () => {
    await put("home/.claude/CLAUDE.md", "user")
    await put("p/AGENTS.md", "root")
    await put("p/CLAUDE.md", "not read")
    await put("p/a/b/CLAUDE.md", "near")
    await put("p/docs/one.md", "one")
    await put("p/docs/two.md", "two")
    await put("AGENTS.md", "above the worktree")
    const files = await find([join(root, "p/docs/*.md"), join(root, "p/AGENTS.md"), join(root, "p/missing.md")])
    expect(files.map(({ content }) => content)).toEqual(["user", "root", "near", "one", "two"])
  })

  it("cuts a huge file and says so, leaves out binary and empty ones", async () => {
    await put("p/AGENTS.md", "x".repeat(50_000))
    await put("p/a/AGENTS.md", "a\0b")
    await put("p/a/b/AGENTS.md", "  \n")
    const files = await find()
    expect(files).toHaveLength(1)
    expect(files[0]?.content).toMatch(/^x{32768}\n\n\[Cut after 32768 of 50000 bytes/)
  })
})

describe("applyCachePoints", () => {
  const messages: LanguageModelV4Prompt = [
    { role: "system", content: "one" },
    { role: "system", content: "two" },
    { role: "user", content: [{ type: "text", text: "a" }] },
    { role: "assistant", content: [{ type: "text", text: "b" }], providerOptions: { anthropic: { kept: 1 } } },
    { role: "user", content: [{ type: "text", text: "c" }] },
  ]
  it("marks the system messages and the last two for Anthropic", () => {
    const marked = applyCachePoints(messages, "anthropic")
    const points = marked.map(({ providerOptions }) => providerOptions?.anthropic?.cacheControl !== undefined)
    expect(points).toEqual([true, true, false, true, true])
    expect(marked[3]?.providerOptions?.anthropic?.kept).toBe(1)
    expect(messages[0]?.providerOptions).toBeUndefined()
  })
  it("leaves other providers' messages alone", () => expect(applyCachePoints(messages, "openai")).toEqual(messages))
})
