import { records } from "@docket/core/operations"
import type { ShareInfo } from "@docket/core/schema"
import { SessionID, ShareID, ShareOptions, SharePassword } from "@docket/core/schema"
import { z } from "zod"
import { may } from "../access/may.ts"
import { requireOwnShare } from "../access/whose.ts"
import { allowed, router } from "../trpc.ts"

const RootInput = z.object({ rootID: SessionID })
const { title, mode, left, decisions, shows, expires, audience, indexed } = ShareOptions.shape

/** What may be changed of a share: what is left out stays as it is. */
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

/** What `preview` answered with, as far as a person looked at it. */
const Reviewed = z.object({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  digests: z.array(z.string().max(100)).max(10_000),
})

const CreateInput = RootInput.extend({ ...patch, mode: mode.unwrap().optional(), reviewed: Reviewed.optional() })

export const shareRouter = router({
  /**
   * What a share of a tree would publish, with all that the scan finds in it. With the `key` of an earlier preview, or for
   * a share that is there, findings have the digests that they had then.
   */
  preview: allowed("share")
    .input(RootInput.extend({ left: patch.left, key: Reviewed.shape.key.optional(), shareID: ShareID.optional() }))
    .query(({ ctx, input: { rootID, ...of } }) => ctx.runtime.share.preview(rootID, of)),

  /**
   * Makes a public read-only link to a redacted copy of a tree. The link is shown only now: the store keeps a hash of
   * its secret.
   */
  create: allowed("share", records("share.made", { facts: ["mode", "audience", "expires", "indexed"] }))
    .input(CreateInput)
    .mutation(async ({ ctx, input }): Promise<MadeLink> => {
      const { rootID, ...choice } = input
      return madeLink(ctx.origin, await ctx.runtime.share.create(rootID, withoutGaps(choice)))
    }),

  update: allowed("share", records("share.changed", { facts: ["audience", "expires", "indexed"] }))
    .input(z.object({ shareID: ShareID, ...patch }))
    .mutation(async ({ ctx, input: { shareID, ...changes } }) => {
      await requireOwnShare(ctx, shareID)
      return ctx.runtime.share.update(shareID, withoutGaps(changes))
    }),

  /** A new link to the same copy. The link that was ends at once. */
  relink: allowed("share", records("share.changed"))
    .input(z.object({ shareID: ShareID }))
    .mutation(async ({ ctx, input }): Promise<MadeLink> => {
      await requireOwnShare(ctx, input.shareID)
      return madeLink(ctx.origin, await ctx.runtime.share.relink(input.shareID))
    }),

  /** Those of a tree; without one, all of the workspace. */
  list: allowed("read")
    .input(RootInput.partial())
    .query(({ ctx, input }) => ctx.runtime.share.list(input.rootID)),

  revoke: allowed("share", records("share.ended"))
    .input(z.object({ shareID: ShareID }))
    .mutation(async ({ ctx, input }): Promise<ShareInfo> => {
      await requireOwnShare(ctx, input.shareID)
      return ctx.runtime.share.revoke(input.shareID)
    }),

  /**
   * Every link of a tree, without one all of the workspace, that the caller may revoke. Answers with those that it
   * revoked.
   */
  revokeAll: allowed("share", records("share.ended"))
    .input(RootInput.partial())
    .mutation(({ ctx, input }): Promise<ShareInfo[]> => {
      const madeBy = may(ctx.identity, "shares.manage") ? undefined : ctx.identity.caller.person
      return ctx.runtime.share.revokeAll(input.rootID, madeBy)
    }),
})

/** A link as it is told once. */
export interface MadeLink {
  id: string
  url: string
}

function madeLink(origin: string, { share, secret }: { share: ShareInfo; secret: string }): MadeLink {
  return { id: share.id, url: `${origin}/share/${secret}` }
}

/** What is undefined was left out. */
function withoutGaps<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  // Only members that are undefined are gone.
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> }
}
