import { webhookPayloads } from "@docket/core/schema"
import type { OpenAPIHono } from "@hono/zod-openapi"
import { z } from "zod"
import type { SignedInEnv } from "../http/signed-in.ts"

const headers = z.object({
  "webhook-id": z.string().meta({ description: "of the delivery: the same each time that it is sent" }),
  "webhook-timestamp": z.string().meta({ description: "when it was sent, in seconds since 1970" }),
  "webhook-signature": z
    .string()
    .meta({ description: "`v1,` and Base64 of the HMAC-SHA256; several with blanks between them" }),
})

/** Describes the payloads of webhooks, by event. */
export function describeWebhooks(app: OpenAPIHono<SignedInEnv>): void {
  for (const [name, schema] of Object.entries(webhookPayloads)) {
    app.openAPIRegistry.registerWebhook({
      method: "post",
      path: name,
      operationId: name.replace(".", "-"),
      summary: words[name as keyof typeof webhookPayloads],
      security: [],
      request: { headers, body: { required: true, content: { "application/json": { schema } } } },
      responses: {
        "2XX": { description: "it was taken" },
        "4XX": { description: "it is sent again later; after 410 nothing is" },
      },
    })
  }
}

const words = {
  "session.idle": "A turn of a session has ended, and no other waits.",
  "task.completed": "A task has ended with a result.",
  "task.failed": "A task has ended without one.",
  "permission.asked": "An agent asks for leave.",
  "question.asked": "An agent asks a question.",
  "plan.asked": "An agent hands a plan over.",
  "review.requested": "A task waits for a person's approval.",
  "review.verdict": "A person has judged a task.",
  "review.comment": "A person has written a comment.",
  "review.resolved": "A thread of comments was resolved.",
  "webhook.test": "A person tries the webhook.",
} as const satisfies Record<keyof typeof webhookPayloads, string>
