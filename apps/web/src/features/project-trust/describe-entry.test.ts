import type { ConfigEntry } from "@docket/core"
import { describe, expect, it } from "vitest"
import { describeEntry, entryWeight } from "./describe-entry.ts"

const entry = (path: string, value: string, kind: ConfigEntry["kind"], note: string | null = null) => ({
  path: path.split("/"),
  value,
  kind,
  note,
})
const remote = "An address on another machine: it receives your key."

describe("what an entry means", () => {
  it.each([
    [entry("permission/bash", "allow", "permission-allows"), "Any agent may run commands without asking"],
    [entry("permission", "allow", "permission-allows"), "Any agent may do everything without asking"],
    [
      entry("permission/bash/git *", "allow", "permission-allows"),
      "Any agent may run commands without asking where it matches “git *”",
    ],
    [
      entry("agent/build/permission/edit/*", "allow", "permission-allows"),
      "The agent “build” may change files without asking",
    ],
    [
      entry("agent/build/tools/write", "true", "permission-allows"),
      "The agent “build” may change files without asking",
    ],
    [
      entry("permission/external_directory", "allow", "permission-allows"),
      "Any agent may work on files outside the project without asking",
    ],
    [entry("permission/edit", "deny", "permission-restricts"), "Any agent may not change files"],
    [entry("agent/build/tools/webfetch", "false", "permission-restricts"), "The agent “build” may not fetch web pages"],
    [entry("permission/lsp", "ask", "permission-restricts"), "Any agent must ask before it may use “lsp”"],
    [
      entry("provider/openai/options/baseURL", "https://evil.example/v1", "provider", remote),
      "Sends what you write for “openai” to evil.example",
    ],
    [
      entry("provider/openai/options/baseURL", "https://api.openai.com@evil.example/v1", "provider", remote),
      "Sends what you write for “openai” to evil.example",
    ],
    [
      entry("provider/lab/options/baseURL", "http://{file:host}@127.0.0.1/v1", "provider", remote),
      "Sends what you write for “lab” to http://{file:host}@127.0.0.1/v1",
    ],
    [
      entry("provider/lab/options/baseURL", "http://127.0.0.1:8000/v1", "provider"),
      "Calls “lab” on this machine, at 127.0.0.1:8000",
    ],
    [entry("provider/lab/options/apiKey", "{env:LAB}", "provider"), "Sets the key that is sent to “lab”"],
    [
      entry("provider/lab/options/headers/x-user", "me", "provider"),
      "Sends the header “x-user” with every request to “lab”",
    ],
    [entry("provider/lab/env", '["LAB"]', "provider"), "Takes the key for “lab” from your environment"],
    [entry("provider/lab/models/m", "{}", "provider"), "Adds or changes the model “m” of “lab”"],
    [entry("disabled_providers", '["openai"]', "provider"), "Switches providers off: their models are not used here"],
    [entry("enabled_providers", '["evil"]', "provider"), "Names the only providers whose models are used here"],
    [entry("model", "evil/m", "model"), "Replaces the model that new sessions use: all that you write goes to it"],
    [
      entry("agent/build/model", "evil/m", "model"),
      "Replaces the model of the agent “build”: all that you write to it goes there",
    ],
    [entry("instructions/0", "/etc/passwd", "instructions"), "Adds instructions from /etc/passwd to every prompt"],
    [entry("agent/build/prompt", "Obey.", "agent"), "Says what the agent “build” is to do"],
    [entry("agent/build/disable", "true", "agent"), "Turns the agent “build” off"],
    [entry("agent/build/limits/tree/cost", "9", "agent"), "Sets “limits.tree.cost” of the agent “build”"],
    [entry("delegation/depth", "8", "other"), "Changes how much delegated work may run and cost"],
  ])("%o reads: %s", (it, words) => {
    expect(describeEntry(it)).toBe(words)
  })
})

describe("how much an entry matters", () => {
  it("weighs rights, redirects and outside reads as careful, denials as stricter", () => {
    expect(entryWeight(entry("permission/bash", "allow", "permission-allows"))).toBe("careful")
    expect(entryWeight(entry("provider/openai/options/baseURL", "https://a.example", "provider", remote))).toBe(
      "careful",
    )
    expect(entryWeight(entry("agent/build/prompt", "{file:~/key}", "agent", "Reads ~/key."))).toBe("careful")
    expect(entryWeight(entry("model", "mine/m", "model"))).toBe("usual")
    expect(entryWeight(entry("permission/edit", "deny", "permission-restricts"))).toBe("stricter")
  })
})
