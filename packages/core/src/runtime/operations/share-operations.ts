import { z } from "zod"
import { SessionID, ShareID, ShareInfo, ShareOptions, SharePassword } from "../../ground/schema/index.ts"
import type { ShareService } from "../../records/share/share-service.ts"
import type { Asker } from "./asker.ts"
import { records } from "./audit-rule.ts"
import { mutation, query } from "./operation.ts"
import { missing } from "./refusals.ts"

const RootInput = z.object({ rootID: SessionID })
const ShareInput = z.object({ shareID: ShareID })
const { title, mode, left, decisions, shows, expires, audience, indexed } = ShareOptions.shape

/** Fields of a share that may be changed. What is left out stays as it is. */
const patch = {
  title: title.unwrap().optional(),
  left: left.unwrap().optional(),
  decisions: decisions.unwrap().optional(),
  shows: shows.unwrap().optional(),
  expires: expires.unwrap().optional(),
  audience: audience.unwrap().optional(),
  password: SharePassword.nullable().optional(),
  indexed: indexed.unwrap().optional(),
}

/** The part of a preview's answer that a person has looked at. */
const Reviewed = z.object({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  digests: z.array(z.string().max(100)).max(10_000),
})

/** A new link. It is shown only once. */
export interface MadeLink {
  id: string
  url: string
}

export const shareOperations = {
  /**
   * What a share of a tree would publish, with everything that the scan finds in it. With the `key` of an earlier
   * preview, or for an existing share, findings keep their digests.
   */
  preview: query({
    capability: "share",
    input: RootInput.extend({ left: patch.left, key: Reviewed.shape.key.optional(), shareID: ShareID.optional() }),
    run: ({ share }, { rootID, ...options }) => share.preview(rootID, options),
  }),

  /**
   * Makes a public, read-only link to a redacted copy of a tree. Only this answer shows the link: the store keeps a
   * hash of its secret.
   */
  create: mutation({
    capability: "share",
    audit: records("share.made", { facts: ["mode", "audience", "expires", "indexed"] }),
    input: RootInput.extend({ ...patch, mode: mode.unwrap().optional(), reviewed: Reviewed.optional() }),
    idempotent: "remembered",
    member: true,
    run: async ({ share }, { rootID, ...choice }, { asker }) =>
      madeLink(asker, await share.create(rootID, withoutGaps(choice))),
  }),

  /** Changes a share. What you leave out stays as it is. */
  update: mutation({
    capability: "share",
    audit: records("share.changed", { facts: ["audience", "expires", "indexed"] }),
    input: ShareInput.extend(patch),
    async run({ share }, { shareID, ...changes }, { asker }) {
      await requireOwn(share, shareID, asker)
      return share.update(shareID, withoutGaps(changes))
    },
  }),

  /** Makes a new link to the same copy. The old link ends at once. */
  relink: mutation({
    capability: "share",
    audit: records("share.changed"),
    input: ShareInput,
    idempotent: "remembered",
    async run({ share }, { shareID }, { asker }) {
      await requireOwn(share, shareID, asker)
      return madeLink(asker, await share.relink(shareID))
    },
  }),

  /** Shares of a tree, or without `rootID` all of the workspace. */
  list: query({
    input: RootInput.partial(),
    needs: "rows",
    run: ({ share }, { rootID }) => share.list(rootID),
    lists: ({ rootID }) => rootID,
    rest: {
      method: "get",
      path: "/shares",
      operationID: "listShares",
      summary: "Links, newest first, revoked ones included; never their secrets.",
      query: { session: { type: "string", description: "a session id: the links of its tree" } },
      status: 200,
      answer: { description: "the links", schema: z.object({ shares: z.array(ShareInfo) }) },
      refusals: missing,
      read: ({ query: { session } }) => ({ rootID: session }),
      write: (shares) => ({ shares }),
      withoutAgents: ({ query: { session } }) => (session === undefined ? { shares: [] } : undefined),
    },
  }),

  /** Ends a share. */
  revoke: mutation({
    capability: "share",
    audit: records("share.ended"),
    input: ShareInput,
    async run({ share }, { shareID }, { asker }) {
      await requireOwn(share, shareID, asker)
      return share.revoke(shareID)
    },
  }),

  /**
   * Ends all shares of a tree, or without `rootID` of the workspace, that the caller may end. Answers with those that
   * it ended.
   */
  revokeAll: mutation({
    capability: "share",
    audit: records("share.ended"),
    input: RootInput.partial(),
    async run({ share }, { rootID }, { visibility, asker, caller }) {
      const madeBy = asker.may("shares.manage") ? undefined : caller.person
      const hidden = await visibility?.hidden()
      // A named tree is known to be visible here; without one, the shares of hidden trees stay.
      if (rootID !== undefined || hidden === undefined || hidden.isEmpty) return share.revokeAll(rootID, madeBy)
      const isMeant = ({ by, time }: ShareInfo) =>
        time.revoked === null && (madeBy === undefined || by?.person === madeBy)
      const seen = (await share.list()).filter((one) => isMeant(one) && !hidden.has(one.rootID))
      return Promise.all(seen.map(({ id }) => share.revoke(id)))
    },
  }),
}

/** Only callers who manage the links of others may change one of somebody else. @throws share_not_found, forbidden */
async function requireOwn(share: ShareService, shareID: string, asker: Asker): Promise<void> {
  asker.requireOwn((await share.get(shareID)).by, "shares.manage")
}

function madeLink({ origin }: Asker, { share, secret }: { share: ShareInfo; secret: string }): MadeLink {
  return { id: share.id, url: `${origin}/share/${secret}` }
}

/** Removes undefined members. */
function withoutGaps<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  // Only undefined members are gone.
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> }
}
