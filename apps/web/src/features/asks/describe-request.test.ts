import type { PermissionRequest, Session } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { describeRequest } from "./describe-request.ts"

const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

const session = (id: string, parentID: string | null, title: string, agent: string): Session => ({
  id,
  projectID: "prj",
  parentID,
  rootID: "root",
  depth: 0,
  directory: "/work",
  title,
  agent,
  model: null,
  permission: [],
  status: { type: "busy" },
  cost: 0,
  tokens,
  origin: null,
  abortedAt: null,
  time: { created: 0, updated: 0, archived: null },
})

const request = (sessionID: string, metadata: PermissionRequest["metadata"]): PermissionRequest => ({
  id: "per",
  rootID: "root",
  sessionID,
  messageID: null,
  callID: null,
  permission: "bash",
  patterns: ["git push *"],
  always: [],
  metadata,
  status: "pending",
  message: null,
  time: { created: 0, replied: null },
})

const command = (text: string) => ({ kind: "command", command: text, description: "", workdir: "/work" }) as const

const tree = [
  session("root", null, "Fix the build", "build"),
  session("child", "root", "Find the cause", "general"),
  session("grandchild", "child", "Read the log", "explore"),
]

describe("describeRequest", () => {
  it("names a grandchild by its path and agent", () => {
    const found = describeRequest(request("grandchild", command("git push")), tree)
    expect(found.path).toEqual(["Find the cause", "Read the log"])
    expect(found.agent).toBe("explore")
    expect(found.command).toBe("git push")
  })
  it("titles a request without details by what the rule matched", () => {
    expect(describeRequest(request("root", { kind: "other" }), tree)).toMatchObject({
      tool: "bash",
      title: "git push *",
      path: [],
    })
  })
})
