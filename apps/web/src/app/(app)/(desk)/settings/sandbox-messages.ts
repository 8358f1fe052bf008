import type { SandboxState } from "@docket/core/schema"
import type { Status } from "../../../../ui/status.ts"

export interface SandboxMessage {
  status: Status
  title: string
  text: string
}

/** The state of the sandbox, in words for users. */
export function sandboxMessage({ state, reason }: SandboxState): SandboxMessage {
  switch (state) {
    case "on":
      return {
        status: "done",
        title: "On",
        text: "It was tried when Docket started: what it should keep away stays away.",
      }
    case "weak":
      return { status: "needs", title: "Weak", text: reason ?? "Something that it should keep away is not kept away." }
    case "off":
      return { status: "needs", title: "Off: commands have all your rights", text: reason ?? "" }
  }
}
