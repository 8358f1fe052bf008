import { lazyDialog } from "../../../../ui/lazy-dialog.tsx"

/** Loaded on first use, because most visits to Settings remove nothing. */
export const LazyConfirmDialog = lazyDialog(() => import("./confirm-dialog.tsx").then((it) => it.ConfirmDialog))
