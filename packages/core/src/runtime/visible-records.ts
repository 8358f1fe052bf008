import { grantMissing } from "../acts/permission/listed-grants.ts"
import { deliveryMissing } from "../records/webhook/webhook-missing.ts"
import type { CallerServices } from "./caller-services.ts"
import type { OtherServices } from "./runtime.ts"
import type { Sight } from "./sight.ts"

type Areas = Pick<CallerServices, "permission" | "agent" | "webhook">

type Ref = string | number

/** Rows that may be of a tree, as far as the caller sees it. Each use case is named: a new one does not compile here. */
export function visibleRecords(of: OtherServices, sight: Sight): Areas {
  const { permission, agent, webhook } = of
  const checked =
    (kind: "session" | "request") =>
    async <T>(ref: Ref | null | undefined, work: () => Promise<T>): Promise<T> => {
      if (ref !== null && ref !== undefined) await sight.check(kind, ref)
      return work()
    }
  const inSession = checked("session")
  const ofRequest = checked("request")
  return {
    permission: {
      async pending(rootID) {
        const trees = await sight.hidden()
        return (await permission.pending(rootID)).filter((request) => !trees.has(request.rootID))
      },
      reply: (id, reply, options) => ofRequest(id, () => permission.reply(id, reply, options)),
      answer: (id, answers) => ofRequest(id, () => permission.answer(id, answers)),
      grants: async () => {
        const trees = await sight.hidden()
        const { grants, more } = await permission.grants()
        return { grants: grants.filter(({ origin: { rootID } }) => rootID === null || !trees.has(rootID)), more }
      },
      allowLeft: (sessionID, id) => inSession(sessionID, () => permission.allowLeft(sessionID, id)),
      async revoke(grantID) {
        const trees = await sight.hidden()
        const { grants } = trees.isEmpty ? { grants: [] } : await permission.grants()
        const grant = grants.find(({ id }) => id === grantID)
        const rootID = grant?.origin.rootID ?? null
        if (rootID !== null && trees.has(rootID)) throw grantMissing(grantID)
        return permission.revoke(grantID)
      },
    },
    webhook: {
      ...webhook,
      async deliveries(query) {
        const trees = await sight.hidden()
        const page = await webhook.deliveries(query)
        return { ...page, items: page.items.filter(({ rootID }) => rootID === null || !trees.has(rootID)) }
      },
      async delivery(id) {
        const trees = await sight.hidden()
        const delivery = await webhook.delivery(id)
        if (delivery.rootID !== null && trees.has(delivery.rootID)) throw deliveryMissing(id)
        return delivery
      },
      async redeliver(id) {
        const trees = await sight.hidden()
        const { rootID } = await webhook.delivery(id)
        if (rootID !== null && trees.has(rootID)) throw deliveryMissing(id)
        return webhook.redeliver(id)
      },
    },
    agent: {
      ...agent,
      async judgeHistory(projectID, query) {
        const trees = await sight.hidden()
        return agent.judgeHistory(projectID, { ...query, ...(!trees.isEmpty && { isHidden: trees.has }) })
      },
    },
  }
}
