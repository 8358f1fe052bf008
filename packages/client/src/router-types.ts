import type { AppRouter } from "@docket/api/router"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"

/** What each procedure takes, e.g. `DocketInputs["session"]["create"]`. */
export type DocketInputs = inferRouterInputs<AppRouter>

/** What each procedure answers, e.g. `DocketOutputs["session"]["list"]`. */
export type DocketOutputs = inferRouterOutputs<AppRouter>
