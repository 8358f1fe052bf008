import { z } from "zod"

/** One version of a package, exactly: what a user agrees to. */
export const ExactPackage = z.object({
  name: z.string().min(1).max(214),
  version: z.string().min(1).max(100),
  /** The digest of its archive, as the registry announced it (Subresource Integrity). */
  integrity: z.string().min(1).max(1_000),
})
export type ExactPackage = z.infer<typeof ExactPackage>

/** What is known of a package before it is installed. */
export const PackageFacts = ExactPackage.extend({
  /** Address of the archive. */
  source: z.string(),
  description: z.string().nullable(),
  license: z.string().nullable(),
  /** Where its code is said to be kept. */
  repository: z.string().nullable(),
  /** Why its authors advise against it. */
  deprecated: z.string().nullable(),
  /** Packages that it brings along directly. */
  dependencies: z.array(z.string()),
  /** It has scripts for its installation. They are not run. */
  hasInstallScripts: z.boolean(),
  /** Docket knows it as the package of this provider. */
  usual: z.string().nullable(),
  /** Exactly this is installed. */
  installed: z.boolean(),
})
export type PackageFacts = z.infer<typeof PackageFacts>

/** A provider package that the user agreed to. */
export const InstalledPackage = ExactPackage.extend({
  /** Address of the archive. */
  source: z.url(),
  time: z.object({
    /** Epoch ms. */
    installed: z.number(),
  }),
})
export type InstalledPackage = z.infer<typeof InstalledPackage>
