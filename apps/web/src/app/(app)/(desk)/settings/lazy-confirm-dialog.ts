import { lazyDialog } from "../../../../ui/lazy-dialog.tsx"

/** Most who look at a page of Settings take nothing away. */
export const LazyConfirmDialog = lazyDialog(() => import("./confirm-dialog.tsx").then((it) => it.ConfirmDialog))
