import type { ThreadView } from "@docket/core"
import type { ReviewComment, ReviewPlace } from "@docket/core/schema"

/** Describes what a comment refers to. */
export function placeLabel(place: ReviewPlace): string {
  switch (place.kind) {
    case "session":
      return "The whole session"
    case "message":
      return "A prompt"
    case "part":
      return "A step"
    case "text":
      return { text: "These words", input: "In the input of a call", output: "In the output of a call" }[place.of]
    case "diff": {
      const lines = place.from === place.to ? `line ${place.from}` : `lines ${place.from}–${place.to}`
      return `${place.path}, ${lines}${place.side === "old" ? " as it was" : ""}`
    }
  }
}

/** Whether the quote of a place is Markdown. */
export function isProse(place: ReviewPlace): boolean {
  return place.kind === "text" && place.of === "text"
}

/** Describes how the place changed; null when it did not. */
export function stateLabel({ state }: ThreadView["anchor"], hasQuote: boolean): string | null {
  if (state === "there") return null
  if (state === "moved") return "It stands elsewhere now."
  return hasQuote ? "Its place was undone or changed. It said:" : "Its place was undone or changed."
}

/** The state of a comment that was sent to an agent; null when it was not sent. */
export function sentLabel({ sent, answer }: Pick<ReviewComment, "sent" | "answer">, agent: string): string | null {
  if (sent === null) return null
  const to = `Sent to ${agent}`
  if (sent.messageID === null) return `${to} · not read yet`
  return answer === null ? `${to} · read, at work on it` : `${to} · read · answered`
}
