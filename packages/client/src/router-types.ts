import type { AppRouter } from "@docket/api/router"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"

/** The input of each procedure, e.g. `DocketInputs["session"]["create"]`. */
export type DocketInputs = inferRouterInputs<AppRouter>

/** The output of each procedure, e.g. `DocketOutputs["session"]["list"]`. */
export type DocketOutputs = inferRouterOutputs<AppRouter>
