import type {
  PermissionRequest,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  Session,
  Task,
  Turn,
  Webhook,
  WebhookDelivery,
} from "../../schema/index.ts"
import type { Page } from "../record/records-port.ts"

/**
 * The rows of a tree that changed since webhooks last read it: in their current state, in the order of their changes.
 */
export interface WebhookNews {
  rootID: string
  /** Sequence numbers of the tree: changes up to `from` were looked at before, later ones up to `to` are in this. */
  from: number
  to: number
  /** When it was looked at before (epoch ms); 0 for never. */
  at: number
  /** The root session; null when this version cannot read it. */
  root: Session | null
  tasks: Task[]
  requests: PermissionRequest[]
  /** `isLast`: when it ended, no other turn of its session ran or waited. */
  turns: { turn: Turn; isLast: boolean }[]
  threads: ReviewThread[]
  comments: ReviewComment[]
  verdicts: ReviewVerdict[]
}

/** How many deliveries of a webhook there are, by what became of them. */
export type DeliveryCounts = Record<WebhookDelivery["status"], number>

/**
 * Webhooks and what they are to be told. Nothing is written when something happens: what happened is in the rows, and a
 * cursor for each tree says how far they were looked at. It moves with the deliveries that come of it.
 */
export interface WebhookStore {
  /** Inserts or replaces. */
  put(webhook: Webhook): Promise<void>
  /** See `Records.change`. */
  change(id: string, edit: (webhook: Webhook) => Webhook | null): Promise<Webhook | null>
  get(id: string): Promise<Webhook | null>
  /** Oldest first. */
  list(): Promise<Webhook[]>
  /** Removes it with its deliveries. */
  remove(id: string): Promise<void>
  /** Marks everything that is stored now as known, so that it is not reported as new. */
  begin(at: number): Promise<void>
  /**
   * Trees with news, by id, at most `limit`, those after one when it is given. With places: those there in which no turn
   * runs.
   */
  behind(
    limit: number,
    query?: { after?: string | undefined; places?: readonly string[] | undefined },
  ): Promise<string[]>
  /** The new rows of a tree, at most `limit` of each kind; null when nothing is new or the tree does not exist. */
  news(rootID: string, limit: number): Promise<WebhookNews | null>
  /**
   * Stores what follows from news, and moves the cursor, in one transaction; deliveries of facts that their webhook
   * knows and of webhooks that are gone are left out. With `withhold`, what waits of the tree is told to nobody. False,
   * and nothing is stored, when the same news were told meanwhile.
   */
  tell(
    news: Pick<WebhookNews, "rootID" | "from" | "to">,
    told: { deliveries: readonly WebhookDelivery[]; at: number; withhold: boolean },
  ): Promise<boolean>
  /** Adds a delivery that reports no new row. False when its webhook is gone. */
  add(delivery: WebhookDelivery): Promise<boolean>
  /** See `Records.change`. */
  changeDelivery(
    id: string,
    edit: (delivery: WebhookDelivery) => WebhookDelivery | null,
  ): Promise<WebhookDelivery | null>
  delivery(id: string): Promise<WebhookDelivery | null>
  /** Newest first, of one webhook or of all. */
  deliveries(query: {
    webhookID?: string | undefined
    status?: WebhookDelivery["status"] | undefined
    limit: number
    cursor?: string | undefined
  }): Promise<Page<WebhookDelivery>>
  /** Deliveries of a webhook that wait and whose time has come, in the order of their times. */
  due(query: { webhookID: string; now: number; limit: number }): Promise<WebhookDelivery[]>
  /** The webhooks that have deliveries whose time has come. */
  withDue(now: number): Promise<string[]>
  /** When the first is due of those that wait and are due after `now`; null when there is none. */
  nextDue(webhookID: string, now: number): Promise<number | null>
  /** By webhook; a webhook without deliveries is missing. */
  counts(): Promise<Record<string, DeliveryCounts>>
  /** Removes deliveries that were made before (epoch ms) and do not wait any more. */
  prune(before: number): Promise<void>
}
