import { execFile, execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { DocketError } from "@docket/core/error"
import { createProviderPackages } from "@docket/core/installed-packages"
import { expect, inject, onTestFinished, test } from "vitest"
import { hosts } from "./auth-world/provider-emulator.ts"
import { makeCertificate } from "./fixtures/make-certificate.ts"

const cache = fileURLToPath(new URL("../node_modules/.cache/auth-plugins", import.meta.url))
const world = fileURLToPath(new URL("auth-world/world.ts", import.meta.url))

/** Installs the package where it is not yet. @returns why it cannot be had; null when it is there */
async function lackOf(spec: string): Promise<string | null> {
  const packages = createProviderPackages({ dataDirectory: cache, env: process.env, clock: Date.now })
  const at = spec.lastIndexOf("@")
  if ((await packages.find({ name: spec.slice(0, at), version: spec.slice(at + 1) })) !== null) return null
  try {
    await packages.install(await packages.lookUp(spec))
    return null
  } catch (error) {
    if (error instanceof DocketError && error.code === "package_unavailable") return error.message
    throw error
  }
}

/** Runs the world in a namespace in which all names of the providers lead to itself. */
async function inWorld(given: object) {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-auth-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  const data = path.join(directory, "data")
  cpSync(cache, data, { recursive: true, verbatimSymlinks: true })
  makeCertificate(directory, hosts)
  const [cert, key, names] = ["own.crt", "own.key", "hosts"].map((name) => path.join(directory, name))
  writeFileSync(names ?? "", `127.0.0.1 localhost ${hosts.join(" ")}\n`)
  const room = ["--dev-bind", "/", "/", "--ro-bind", names ?? "", "/etc/hosts", "--die-with-parent"]
  const network = ["--unshare-user", "--unshare-net", "--uid", "0", "--cap-add", "CAP_NET_BIND_SERVICE"]
  const { stdout } = await promisify(execFile)(
    "bwrap",
    [...room, ...network, process.execPath, world, JSON.stringify({ ...given, data, cert, key })],
    { env: { PATH: process.env.PATH, HOME: directory, NODE_EXTRA_CA_CERTS: cert } },
  )
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
}

function hasNamespaces(): boolean {
  try {
    execFileSync("bwrap", ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--uid", "0", "true"])
    return true
  } catch {
    return false
  }
}

/** Public plugins as they are, what the sign-in says, and by which grants each answer came. */
const plugins = [
  {
    ...{ plugin: "opencode-anthropic-auth@0.0.13", provider: "anthropic", models: null, model: "claude-sonnet-4-5" },
    ...{ says: "Paste the authorization code here:", answer: "Hello from Claude." },
    grants: { first: ["authorization_code"], renewed: ["authorization_code", "refresh_token"] },
  },
  {
    ...{ plugin: "opencode-openai-codex-auth@4.4.0", provider: "openai", models: null, model: "gpt-5.1" },
    ...{ says: "A browser window should open.", answer: "Hello from ChatGPT." },
    grants: { first: ["authorization_code"], renewed: ["authorization_code", "refresh_token"] },
  },
  {
    ...{ plugin: "opencode-copilot-auth@0.0.9", provider: "github-copilot", models: { one: {} }, model: "one" },
    ...{ says: "Enter code: AB-12", answer: "Hello from Copilot." },
    grants: { first: ["device", "session"], renewed: ["device", "session"] },
  },
]

test.runIf(inject("full")).for(plugins)(
  "$plugin signs in, answers turns, renews and signs out",
  async ({ says, answer, grants, ...given }, { skip }) => {
    const lack = hasNamespaces() ? await lackOf(given.plugin) : "This machine has no namespaces."
    if (lack !== null) skip(lack)
    const { said, before, first, renewed, after, leaks } = await inWorld(given)
    expect(before).toMatchObject({ connected: false, turn: expect.stringContaining("docket plugin login") })
    expect(said.join("\n")).toContain(says)
    expect(said.at(-1)).toContain(`signed in to ${given.provider}`)
    expect(first).toEqual({ connected: true, turn: answer, grants: grants.first })
    expect(renewed).toEqual({ turn: answer, again: answer, grants: grants.renewed })
    expect(after).toMatchObject({ connected: false, turn: expect.stringContaining("docket plugin login") })
    expect(leaks).toBe(0)
  },
)
