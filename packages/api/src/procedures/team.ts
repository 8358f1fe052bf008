import { records } from "@docket/core/operations"
import { Role, ShownName } from "@docket/core/schema"
import { z } from "zod"
import { capabilities } from "../access/may.ts"
import { accountOf, teamOf } from "../team/team-of.ts"
import { allowed, router } from "../trpc.ts"

/** Ids of accounts come from better-auth and have no prefix. */
const AccountID = z.string().min(1).max(64)
const PersonInput = z.object({ person: AccountID })
const Email = z.email().max(200).toLowerCase()

const KeyInput = z.object({
  name: ShownName,
  role: Role,
  capabilities: z.array(z.enum(capabilities)).max(100).optional(),
  days: z.number().int().min(1).max(3_660).optional(),
  perMinute: z.number().int().min(1).max(1_000_000).optional(),
})

/** What is counted of the work that somebody left: the fields of `Demoted`, and of `Removed`. */
const demotedCounts = ["withdrawn", "stopped", "running", "paused", "tokens", "webhooks"]
const removedCounts = [...demotedCounts, "hidden", "keys"]

/** People, invitations and keys of the workspace, and the caller's own sign-ins. See `TeamService`. */
export const teamRouter = router({
  /** The people of the workspace. */
  members: allowed("read").query(({ ctx }) => teamOf(ctx).members(ctx.identity)),
  /** Changes somebody's role. Answers with what became of their work, when they may no longer prompt. */
  setRole: allowed(
    "people.manage",
    records("person.role", { targets: ["person"], facts: ["role"], results: demotedCounts }),
  )
    .input(PersonInput.extend({ role: Role }))
    .mutation(({ ctx, input }) => accountOf(ctx).setRole(ctx.identity, input)),
  /** Removes somebody from the workspace. Answers with what became of their work. */
  remove: allowed("people.manage", records("person.removed", { targets: ["person"], results: removedCounts }))
    .input(PersonInput)
    .mutation(({ ctx, input }) => teamOf(ctx).remove(ctx.identity, input.person)),
  /** People who are gone and left sessions that nobody sees. */
  former: allowed("people.manage").query(({ ctx }) => teamOf(ctx).former(ctx.identity)),
  /** Shows the sessions that somebody left to the workspace. */
  openSessions: allowed("people.manage", records("person.opened", { targets: ["person"], results: ["opened"] }))
    .input(PersonInput)
    .mutation(({ ctx, input }) => teamOf(ctx).openSessions(ctx.identity, input.person)),
  /** The caller leaves the workspace. */
  leave: allowed("account", records("person.left", { results: removedCounts })).mutation(({ ctx }) =>
    accountOf(ctx).remove(ctx.identity, ctx.identity.caller.person),
  ),
  /** Makes a link with which somebody sets a new password. Only this answer shows it. */
  resetLink: allowed("people.manage", records("person.reset", { targets: ["person"] }))
    .input(PersonInput)
    .mutation(({ ctx, input }) => accountOf(ctx).resetLink(ctx.identity, input.person)),

  /** Invitations that are open. */
  invitations: allowed("people.manage").query(({ ctx }) => teamOf(ctx).invitations(ctx.identity)),
  /** Makes an invitation. Only this answer shows its link. */
  invite: allowed("people.manage", records("invitation.made", { targets: ["email"], facts: ["role"] }))
    .input(z.object({ email: Email, role: Role }))
    .mutation(({ ctx, input }) => accountOf(ctx).invite(ctx.identity, input)),
  /** Takes an invitation back. */
  cancelInvitation: allowed("people.manage", records("invitation.ended", { targets: ["invitation"] }))
    .input(z.object({ invitation: AccountID }))
    .mutation(({ ctx, input }) => teamOf(ctx).cancelInvitation(ctx.identity, input.invitation)),

  /** Where the caller is signed in. */
  signIns: allowed("account").query(({ ctx }) => accountOf(ctx).signIns(ctx.identity)),
  /** Ends one of the caller's sign-ins. */
  endSignIn: allowed("account", records("sign-in.ended", { targets: ["signIn"] }))
    .input(z.object({ signIn: AccountID }))
    .mutation(({ ctx, input }) => accountOf(ctx).endSignIn(ctx.identity, input.signIn)),
  /** Ends all of the caller's sign-ins but this one. */
  endOtherSignIns: allowed("account", records("sign-in.ended", { results: ["ended"] })).mutation(
    async ({ ctx }): Promise<{ ended: number }> => {
      return { ended: await accountOf(ctx).endOtherSignIns(ctx.identity) }
    },
  ),

  /** Keys of programs. */
  keys: allowed("keys.manage").query(({ ctx }) => teamOf(ctx).keys(ctx.identity)),
  /** Makes a key for a program. Only this answer shows it. */
  createKey: allowed(
    "keys.manage",
    records("key.made", { targets: ["id", "name"], facts: ["role", "capabilities", "days", "perMinute"] }),
  )
    .input(KeyInput)
    .mutation(({ ctx, input }) => accountOf(ctx).createKey(ctx.identity, input)),
  /** Ends a key. */
  revokeKey: allowed("keys.manage", records("key.ended", { targets: ["key"] }))
    .input(z.object({ key: AccountID }))
    .mutation(({ ctx, input }) => teamOf(ctx).revokeKey(ctx.identity, input.key)),

  /** Tokens of programs for `/v1`, beside the keys. */
  tokens: allowed("keys.manage").query(({ ctx }) => teamOf(ctx).tokens(ctx.identity)),
  /** Ends a token. */
  revokeToken: allowed("keys.manage", records("key.ended", { targets: ["token"] }))
    .input(z.object({ token: AccountID }))
    .mutation(({ ctx, input }) => teamOf(ctx).revokeToken(ctx.identity, input.token)),
})
