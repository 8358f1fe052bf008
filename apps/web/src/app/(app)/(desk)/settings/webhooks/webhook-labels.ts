import type { WebhookView } from "@docket/core"
import type { WebhookDelivery, WebhookEvent } from "@docket/core/schema"

export const eventLabels: Record<WebhookEvent, string> = {
  "session.idle": "A session has nothing more to do",
  "task.completed": "A task is done",
  "task.failed": "A task has failed",
  "permission.asked": "An agent asks for leave",
  "question.asked": "An agent asks a question",
  "plan.asked": "An agent hands a plan over",
  "review.requested": "A task waits for approval",
  "review.verdict": "A person judges a task",
  "review.comment": "A person comments",
  "review.resolved": "A thread is resolved",
}

export const eventGroups: readonly { name: string; events: WebhookEvent[] }[] = [
  { name: "Needs a person", events: ["permission.asked", "question.asked", "plan.asked", "review.requested"] },
  { name: "Work", events: ["session.idle", "task.completed", "task.failed"] },
  { name: "Review", events: ["review.verdict", "review.comment", "review.resolved"] },
]

/** The host of an address. The rest may contain a secret of the receiver. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** The state of a webhook, and whether it needs attention. */
export function stateOf({ status, disabled, failing, lacksSecret }: WebhookView): { words: string; isBad: boolean } {
  if (disabled !== null) {
    const why = disabled.why === "gone" ? "its receiver answered that it is gone" : "it failed for days"
    return { words: `Disabled: ${why}`, isBad: true }
  }
  if (lacksSecret) return { words: "Its secret is lost: make a new one", isBad: true }
  if (status === "paused") return { words: "Paused", isBad: false }
  return failing === null ? { words: "Active", isBad: false } : { words: "Failing", isBad: true }
}

/** The results of the last week's deliveries. */
export function countsOf({ counts: { waiting, delivered, failed } }: WebhookView): string {
  const parts = [
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    `${delivered} delivered this week`,
  ]
  return parts.join(" · ")
}

const statusLabels = { waiting: "Waiting", delivered: "Delivered", failed: "Failed", withheld: "Withheld" } as const

/** The result of a delivery, with the last response. */
export function outcomeOf({ status, attempts }: WebhookDelivery): string {
  const last = attempts.at(-1)
  const tries = attempts.length > 1 ? ` after ${attempts.length} tries` : ""
  if (status === "withheld") return "Withheld: its session became private"
  if (last === undefined) return statusLabels[status]
  return `${statusLabels[status]}${tries} · ${last.status === null ? "no answer" : `answered ${last.status}`}`
}
