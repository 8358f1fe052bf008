"use client"

import dynamic from "next/dynamic"
import { loadPart } from "../../../../ui/load-part.ts"

/** The dialog is loaded when someone first looks. */
export const LazyPackageDialog = dynamic(() =>
  loadPart(() => import("./package-dialog.tsx").then((it) => it.PackageDialog)),
)
