import type { Turn, WebhookDelivery } from "../../schema/index.ts"
import type { DeliveryCounts, Records, WebhookStore } from "../port/index.ts"
import { deliveryRecord, webhookRecord, webhookRows, withheldDelivery } from "../record/webhook.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { rowsOf, type Tables } from "./tables.ts"

const noCounts: DeliveryCounts = { waiting: 0, delivered: 0, failed: 0, withheld: 0 }

export function inMemoryWebhooks(tables: Tables, records: Records): WebhookStore {
  const webhooks = rowsOf(tables, webhookRecord)
  const deliveries = rowsOf(tables, deliveryRecord)
  const cursors = new Map<string, { seq: number; at: number }>()
  const all = () => [...deliveries.values()]
  const placeOf = (rootID: string) => tables.places.get(rootID) ?? ""
  const isAtRest = (rootID: string) =>
    ![...tables.openTurns.values()].some((turn) => turn.rootID === rootID && turn.status === "running")
  const isKnown = ({ webhookID, fact }: WebhookDelivery) =>
    all().some((other) => other.webhookID === webhookID && other.fact === fact)
  const put = (delivery: WebhookDelivery) => void deliveries.set(delivery.id, frozenCopy(delivery))
  return {
    ...webhookRows(records),
    async begin(at) {
      for (const [rootID, seq] of tables.heads) cursors.set(rootID, { seq, at })
    },
    behind: async (limit, { after = "", places } = {}) =>
      [...tables.heads]
        .filter(
          ([rootID, seq]) => rootID > after && tables.sessions.has(rootID) && seq > (cursors.get(rootID)?.seq ?? 0),
        )
        .filter(([rootID]) => places === undefined || (places.includes(placeOf(rootID)) && isAtRest(rootID)))
        .map(([rootID]) => rootID)
        .sort()
        .slice(0, limit),
    async news(rootID, limit) {
      const { seq: from, at } = cursors.get(rootID) ?? { seq: 0, at: 0 }
      const head = tables.heads.get(rootID) ?? 0
      if (!tables.sessions.has(rootID) || head <= from) return null
      const changes = (tables.logs.get(rootID)?.since(from, Number.MAX_SAFE_INTEGER) ?? []).filter(
        ({ seq }) => seq <= head,
      )
      // The page ends where rows of one kind reach the limit.
      const ends = Object.values(Object.groupBy(changes, ({ kind }) => kind)).flatMap(
        (list) => list[limit - 1]?.seq ?? [],
      )
      const to = Math.min(head, ...ends)
      const paged = changes.filter(({ seq }) => seq <= to)
      const values = <K extends (typeof paged)[number]["kind"]>(kind: K) =>
        paged.flatMap((change) => (change.kind === kind && "value" in change ? [change.value as never] : []))
      return {
        rootID,
        from,
        to,
        at,
        root: tables.sessions.get(rootID)?.value ?? null,
        tasks: values("task"),
        requests: values("permission"),
        turns: values("turn").map((turn) => ({ turn, isLast: isLast(tables, turn) })),
        threads: values("thread"),
        comments: values("comment"),
        verdicts: values("verdict"),
      }
    },
    async tell({ rootID, from, to }, told) {
      if ((cursors.get(rootID)?.seq ?? 0) !== from) return false
      cursors.set(rootID, { seq: to, at: told.at })
      for (const delivery of told.deliveries) {
        if (webhooks.has(delivery.webhookID) && !isKnown(delivery)) put(delivery)
      }
      for (const delivery of told.withhold ? all() : []) {
        if (delivery.rootID === rootID && delivery.status === "waiting") put(withheldDelivery(delivery, told.at))
      }
      return true
    },
    withDue: async (now) => [
      ...new Set(
        all()
          .filter(({ status, nextAt }) => status === "waiting" && nextAt !== null && nextAt <= now)
          .map(({ webhookID }) => webhookID),
      ),
    ],
    nextDue: async (webhookID, now) =>
      waitingOf(all(), webhookID).find(({ nextAt }) => nextAt !== null && nextAt > now)?.nextAt ?? null,
    async counts() {
      const counts: Record<string, DeliveryCounts> = {}
      for (const { webhookID, status } of all()) {
        const known = counts[webhookID] ?? noCounts
        counts[webhookID] = { ...known, [status]: known[status] + 1 }
      }
      return counts
    },
  }
}

function waitingOf(deliveries: WebhookDelivery[], webhookID: string): WebhookDelivery[] {
  return deliveries
    .filter((delivery) => delivery.webhookID === webhookID && delivery.status === "waiting")
    .sort((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || (a.id < b.id ? -1 : 1))
}

/** Whether no other turn of its session ran or waited when it ended. */
function isLast(tables: Tables, { id, sessionID, time: { ended } }: Turn): boolean {
  if (ended === null) return false
  return ![...tables.turns.values()].some(
    (other) =>
      other.sessionID === sessionID &&
      other.id !== id &&
      other.time.created <= ended &&
      (other.time.ended === null || other.time.ended > ended),
  )
}
