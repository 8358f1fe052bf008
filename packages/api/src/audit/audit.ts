import type { IncomingMessage } from "node:http"
import {
  type AuditLog,
  DocketError,
  type DocketErrorCode,
  isDocketError,
  type NewAuditEntry,
  placeOf,
} from "@docket/core"
import type { AuditRule, Capability, RecordedAct } from "@docket/core/operations"
import type { Identity } from "../auth/identity.ts"
import type { Ingress } from "../http/ingress.ts"
import { actOf, pickFacts } from "./pick-facts.ts"
import { createRefusalSample } from "./refusal-sample.ts"

export interface AuditDeps {
  log: AuditLog
  /** The person's name; null without an account. */
  nameOf(person: string): Promise<string | null>
  clock(): number
  /** The workspace that records sign-ins by a link. A team has no such links, and records its sign-ins with the accounts. */
  links?: { workspace: string } | undefined
}

/** Records who did what. */
export interface Audit extends Pick<AuditLog, "read"> {
  /** The recorder of one request. */
  of(identity: Identity, req: IncomingMessage, ingress: Pick<Ingress, "addressOf">): Recorder
  /** Records that a login link signed somebody in, or was no good (null). Of many of these only a sample is recorded. */
  shownLink(signedIn: Identity | null, req: IncomingMessage, ingress: Pick<Ingress, "addressOf">): Promise<void>
}

/** Records what one request does. */
export interface Recorder {
  now(): number
  /** Adds targets of the request, for a route whose answer is not searched for them. */
  about(targets: Record<string, string | number>): void
  /** Records a call that began at `at`. Resolves when it is stored, and never rejects. */
  done(rule: RecordedAct, made: { call: string; at: number; input: unknown; answer?: unknown }): Promise<void>
  /** Records that the caller's role or key is not enough. Of many refusals only a sample is recorded. */
  refused(capability: Capability, call: string): Promise<void>
}

export function createAudit({ log, nameOf, clock, links }: AuditDeps): Audit {
  const refusalSample = createRefusalSample()
  return {
    read: log.read,
    of(identity, req, ingress) {
      const { caller, name, via } = identity
      const noted: Record<string, string> = {}
      const add = async (entry: Pick<NewAuditEntry, "at" | "act" | "call" | "targets" | "facts">) => {
        // The identity of a key has the name of the key, but the entry names the person who made it.
        const person = via === "key" ? ((await nameOf(caller.person)) ?? name) : name
        await log.add(caller.workspace, {
          ...entry,
          person: { id: caller.person, name: person },
          via: via === "login" ? (req.headers.authorization === undefined ? "browser" : "cli") : via,
          credential: via === "login" ? null : name,
          address: ingress.addressOf(req) || null,
        })
      }
      return {
        now: clock,
        about(targets) {
          for (const [key, value] of Object.entries(targets)) noted[key] = String(value)
        },
        async done(rule, { call, at, input, answer }) {
          const { targets, facts } = pickFacts(rule, input, answer)
          const person = rule.targets?.includes("person") ? targets.person : undefined
          const nameOfTarget = person === undefined ? null : await nameOf(person)
          const all = { ...targets, ...(nameOfTarget !== null && { name: nameOfTarget }), ...noted }
          await add({ at, call, act: actOf(rule, input), targets: all, facts })
        },
        async refused(capability, call) {
          const at = clock()
          const key = `${caller.workspace} ${caller.person} ${identity.credentialID} ${capability}`
          const times = refusalSample.take(key, at)
          if (times === null) return
          await add({ at, call, act: "call.refused", targets: {}, facts: { capability, role: identity.role, times } })
        },
      }
    },
    async shownLink(signedIn, req, ingress) {
      if (links === undefined) return
      const at = clock()
      const address = ingress.addressOf(req) || null
      const times = signedIn === null ? refusalSample.take(`link ${placeOf(address ?? "")}`, at) : 1
      if (times === null) return
      await log.add(links.workspace, {
        ...{ at, call: "POST /api/login", via: "browser", credential: null, address, targets: {} },
        ...(signedIn === null
          ? { act: "sign-in.failed", person: null, facts: { times } }
          : { act: "sign-in", person: { id: signedIn.caller.person, name: signedIn.name }, facts: {} }),
      })
    },
  }
}

export function isRecorded(rule: AuditRule | undefined): rule is RecordedAct {
  return rule !== undefined && "act" in rule
}

const refusalCodes = new Set<DocketErrorCode>([
  "forbidden",
  "role_forbidden",
  "last_owner",
  "last_operator",
  "directory_not_allowed",
])

/** Whether a call failed because of who made it. */
export function isRefusal(error: unknown): boolean {
  return isDocketError(error) && refusalCodes.has(error.code)
}

/** @throws store_unavailable for a service whose store keeps no log */
export function keptLog(audit: Audit | null): Audit {
  if (audit !== null) return audit
  throw new DocketError("store_unavailable", "This store keeps no audit log.")
}
