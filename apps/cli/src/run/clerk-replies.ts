import type { DocketClient } from "@docket/client"
import type { ClerkDeps } from "./permission-clerk.ts"

/** How a clerk answers: by calls of the service. */
export function clerkReplies(client: DocketClient): Pick<ClerkDeps, "answer" | "planOf" | "reply"> {
  return {
    answer: (requestID, answers) => client.question.answer.mutate({ requestID, answers }),
    planOf: async (sessionID) => (await client.plan.get.query({ sessionID }))?.text ?? "",
    reply: (requestID, { reply, message, within }) =>
      client.permission.reply.mutate({
        requestID,
        reply,
        ...(message !== undefined && { message }),
        ...(within !== undefined && { remember: { within } }),
      }),
  }
}
