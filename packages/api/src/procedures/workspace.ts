import { notRecorded, records } from "@docket/core/operations"
import { SessionID, ShownName } from "@docket/core/schema"
import { z } from "zod"
import { may } from "../access/may.ts"
import { accountOf, teamOf } from "../team/team-of.ts"
import type { OwnWorkspace } from "../team/team-workspaces.ts"
import { allowed } from "../trpc.ts"

const WorkspaceID = z.string().min(1).max(63)
const Email = z.email().max(200).toLowerCase()

/** Absolute paths of directories. */
const Roots = z.array(z.string().min(1).max(4_096)).max(100)

/** Which workspaces there are, and who runs the service. The settings of one workspace are operations of core. */
export const workspaceProcedures = {
  /** The caller's workspaces, and whether they may make more. Empty without accounts. */
  list: allowed("self").query(async ({ ctx }): Promise<{ workspaces: OwnWorkspace[]; mayCreate: boolean }> => {
    if (ctx.team === null) return { workspaces: [], mayCreate: false }
    return { workspaces: await ctx.team.workspaces.own(ctx.identity), mayCreate: may(ctx.identity, "service.manage") }
  }),
  /** Moves this sign-in to another workspace, in all its tabs. */
  switch: allowed("account", notRecorded("it changes where a sign-in works, and nothing of a workspace"))
    .input(z.object({ workspace: WorkspaceID }))
    .mutation(({ ctx, input }) => accountOf(ctx).workspaces.switchTo(ctx.identity, input.workspace)),
  /** Which other workspace of the caller has a session, so that a link to it can lead there. */
  holding: allowed("read")
    .input(z.object({ sessionID: SessionID }))
    .query(({ ctx, input }) => ctx.team?.workspaces.holding(ctx.identity, input.sessionID) ?? null),
  /** Renames the workspace. */
  rename: allowed("limits.manage", records("workspace.changed"))
    .input(z.object({ name: ShownName }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      await teamOf(ctx).workspaces.rename(ctx.identity, input.name)
      // The name is stored with the accounts. The update records who set it, and tells readers.
      await ctx.runtime.workspace.update({})
    }),
  /** Removes the workspace with all that it holds. `name` is its name, so that nobody removes the wrong one. */
  remove: allowed("workspace.remove", notRecorded("what was written down of the workspace goes with it"))
    .input(z.object({ name: z.string().max(80) }))
    .mutation(({ ctx, input }) => accountOf(ctx).workspaces.remove(ctx.identity, input.name)),

  /** All workspaces of the service. */
  all: allowed("service.manage").query(({ ctx }) => teamOf(ctx).workspaces.all()),
  /** Makes a workspace. */
  create: allowed("service.manage", records("workspace.made", { targets: ["id"] }))
    .input(z.object({ name: ShownName, id: WorkspaceID.optional(), owner: Email.optional() }))
    .mutation(({ ctx, input }) => teamOf(ctx).workspaces.create(ctx.identity, input)),
  /** Removes any workspace. `name` is its name, so that nobody removes the wrong one. */
  removeAny: allowed("service.manage", records("workspace.removed", { targets: ["workspace"] }))
    .input(z.object({ workspace: WorkspaceID, name: z.string().max(80) }))
    .mutation(({ ctx, input }) => teamOf(ctx).workspaces.removeAny(ctx.identity, input.workspace, input.name)),
  /** Sets the directories of any workspace's projects. The caller need not belong to it. */
  setRoots: allowed("service.manage", records("workspace.changed", { targets: ["workspace"], facts: ["roots"] }))
    .input(z.object({ workspace: WorkspaceID, roots: Roots }))
    .mutation(({ ctx, input }) => teamOf(ctx).workspaces.setRoots(ctx.identity, input.workspace, input.roots)),
  /** The people who run the service. */
  operators: allowed("service.manage").query(({ ctx }) => teamOf(ctx).workspaces.operators()),
  /** Says whether somebody runs the service. */
  setOperator: allowed("service.manage", records("service.changed", { targets: ["email"], facts: ["isOperator"] }))
    .input(z.object({ email: Email, isOperator: z.boolean() }))
    .mutation(({ ctx, input }) => teamOf(ctx).workspaces.setOperator(input.email, input.isOperator)),
}
