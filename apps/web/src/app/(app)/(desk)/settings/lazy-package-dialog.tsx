"use client"

import { lazyDialog } from "../../../../ui/lazy-dialog.tsx"

/** The dialog is loaded when someone first looks. */
export const LazyPackageDialog = lazyDialog(() => import("./package-dialog.tsx").then((it) => it.PackageDialog))
