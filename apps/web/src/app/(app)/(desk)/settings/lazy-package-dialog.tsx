"use client"

import { lazyDialog } from "../../../../ui/lazy-dialog.tsx"

export const LazyPackageDialog = lazyDialog(() => import("./package-dialog.tsx").then((it) => it.PackageDialog))
