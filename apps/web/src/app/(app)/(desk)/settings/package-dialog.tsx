"use client"

import { useTRPC } from "@docket/client/react"
import type { PackageFacts } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { Dialog } from "../../../../shell/dialog.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import dialog from "../../../../ui/long-dialog.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { useFocusAfterwards } from "../../../../ui/use-focus-afterwards.ts"
import styles from "./package-dialog.module.css"
import { packageRows } from "./package-rows.ts"

interface PackageDialogProps {
  /** The package name, with or without a version. */
  spec: string
  onClose: () => void
}

/** Shows the registry's data about a package, and installs it if the user agrees. */
export function PackageDialog({ spec, onClose }: PackageDialogProps) {
  useFocusAfterwards("#packages")
  const phone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false })
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Install this package?"
      size={640}
      fullScreen={phone}
      closeButtonProps={{ ...(phone && { size: 44, iconSize: 20 }) }}
      classNames={{ content: dialog.content ?? "", body: dialog.body ?? "" }}
    >
      <PackageDetails spec={spec} onClose={onClose} />
    </Dialog>
  )
}

function PackageDetails({ spec, onClose }: PackageDialogProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  // Never cached: the user must agree to the registry's current data.
  const facts = useQuery(trpc.provider.lookUpPackage.queryOptions({ spec }, { retry: false, staleTime: 0, gcTime: 0 }))
  const install = useMutation(
    trpc.provider.installPackage.mutationOptions({
      onSuccess: async ({ name, version }) => {
        await queries.invalidateQueries(trpc.provider.pathFilter())
        announce(`${name} ${version} is installed`)
        onClose()
      },
    }),
  )
  const shown = facts.data
  const lookAgain = () => {
    install.reset()
    void facts.refetch()
  }
  const problem = install.error ?? facts.error
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section className={`${dialog.scroll} ${styles.facts}`} tabIndex={0} aria-label="What it is" data-autofocus>
        {problem ? <ErrorState title="That did not work" message={problem.message} onRetry={lookAgain} /> : null}
        {facts.isFetching ? <SkeletonRows count={6} height={28} label="Asking the registry" /> : null}
        {shown && !facts.isFetching ? <Facts facts={shown} /> : null}
      </section>
      <footer className={dialog.actions}>
        <Button onClick={onClose}>{shown?.installed ? "Close" : "Not now"}</Button>
        {shown && !shown.installed && !facts.isFetching ? (
          <Button variant="filled" loading={install.isPending} onClick={() => install.mutate(exactVersion(shown))}>
            Install it
          </Button>
        ) : null}
      </footer>
    </>
  )
}

/** Names the files that were shown: a package whose files have changed since is not installed. */
function exactVersion({ name, version, integrity }: PackageFacts) {
  return { name, version, integrity }
}

function Facts({ facts }: { facts: PackageFacts }) {
  return (
    <>
      <p>
        {facts.usual === null
          ? "It is none of the packages that Docket knows: check its name."
          : `This is the package of ${facts.usual}.`}
        {facts.installed ? " It is installed already." : null}
      </p>
      <dl className={styles.rows}>
        {packageRows(facts).map(({ label, value }) => (
          <div key={label} className={styles.row}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.warning}>
        The code of a provider’s package and of your own plugins runs with Docket’s rights: it can read your files, use
        the network, and sees what models get, a provider’s keys too. An MCP server runs in the sandbox, where there is
        one. No script of a package runs while it is installed, and it is never updated by itself.
      </p>
    </>
  )
}
