import { describeMe, type Me } from "../access/me.ts"
import { type RoleLabels, roleLabels } from "../access/role-labels.ts"
import { allowed, router } from "../trpc.ts"

export const meRouter = router({
  /** Who the caller is signed in as, and what they may not do. */
  get: allowed("self").query(({ ctx }): Me => describeMe(ctx.identity, ctx.team !== null)),

  /** What each role may do, from least to most. */
  roles: allowed("self").query((): RoleLabels[] => roleLabels()),
})
