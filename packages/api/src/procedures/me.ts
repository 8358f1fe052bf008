import { describeMe, type Me } from "../access/me.ts"
import { type RoleLabels, roleLabels } from "../access/role-labels.ts"
import { allowed, router } from "../trpc.ts"

export const meRouter = router({
  /** As whom the caller is signed in, and what they may not do. */
  get: allowed("self").query(({ ctx }): Me => describeMe(ctx.identity, ctx.team !== null)),

  /** What each role may, from least to most. */
  roles: allowed("self").query((): RoleLabels[] => roleLabels()),
})
