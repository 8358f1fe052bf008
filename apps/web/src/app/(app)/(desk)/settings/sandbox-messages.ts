import type { SandboxState } from "@docket/core/schema"
import type { Status } from "../../../../ui/status.ts"

export interface SandboxMessage {
  status: Status
  title: string
  text: string
}

/** The state of the sandbox, in words for users. */
export function sandboxMessage({ state, reason, image }: SandboxState): SandboxMessage {
  if (image !== undefined) return containerMessage({ state, reason, image })
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

/** Where the configuration names containers, no command runs outside of them. */
function containerMessage({
  state,
  reason,
  image,
}: Pick<SandboxState, "state" | "reason"> & { image: string }): SandboxMessage {
  if (state === "on") {
    const text = `Commands run in containers of the image ${image}. One was tried: what it should keep away stays away.`
    return { status: "done", title: "On, in containers", text }
  }
  const text = reason ?? "A container does not keep away all that it should."
  return { status: "needs", title: "No command runs: its containers do not hold", text }
}
