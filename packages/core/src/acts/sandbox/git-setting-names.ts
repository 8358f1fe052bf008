/**
 * Settings of a repository that start no program and lead git to no other file or place; what is not here may, in this
 * git or a newer one. Source: git-config(1). A star stands for what the repository itself names.
 */
const harmless: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|compression|loosecompression|bigfilethreshold|quotepath|protecthfs|protectntfs|trustctime|checkstat|sharedrepository|sparsecheckout|sparsecheckoutcone|commentchar|whitespace|untrackedcache|preloadindex|multipackindex|commitgraph)$/,
  /^core\.fsmonitor=(?:false|true|)$/,
  /^extensions\.(?:objectformat|refstorage|worktreeconfig|preciousobjects|noop|relativeworktrees|compatobjectformat)$/,
  /^user\.(?:name|email|useconfigonly)$/,
  /^(?:author|committer)\.(?:name|email)$/,
  /^init\.defaultbranch$/,
  /^branch\..+\.(?:remote|pushremote|merge|rebase|description)$|^branch\.(?:autosetupmerge|autosetuprebase|sort)$/,
  /^remote\..+\.(?:fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall)$|^remote\.pushdefault$/,
  // `transport::address` starts the program git-remote-transport.
  /^(?:remote|submodule)\..+\.(?:url|pushurl)=(?![a-z\d+.-]*::)/is,
  /^submodule\..+\.(?:active|branch|ignore|shallow|fetchrecursesubmodules)$|^submodule\.(?:active|recurse|fetchjobs|propagatebranches)$/,
  /^submodule\..+\.update=(?:checkout|rebase|merge|none)$/,
  // Those left out name a file, a place or an address, or start gpg.
  /^(?!fetch\.bundle|format\.(?:signaturefile|outputdirectory|pretty)$|log\.(?:showsignature|mailmap)$|(?:push|tag)\.(?:gpgsign|forcesignannotated)$)(?:advice|color|column|feature|index|pack|rerere|status|stash|push|pull|fetch|log|format|apply|rebase|grep|maintenance|tag|notes|worktree|checkout|clean|versionsort|i18n)\.[a-z\d.]+$/,
  /^gc\.(?!recentobjectshook)[a-z\d]+$/,
  /^merge\.(?:ff|conflictstyle|renames|renamelimit|stat|log|verbosity|autostash|branchdesc)$/,
  /^diff\.(?:algorithm|renames|renamelimit|mnemonicprefix|noprefix|colormoved|colormovedws|context|interhunkcontext|ignoresubmodules|submodule|statgraphwidth|wserrorhighlight|indentheuristic|relative|suppressblankempty|wordregex)$/,
  /^commit\.(?:verbose|cleanup|status)$/,
  /^(?:commit|tag|push)\.gpgsign=(?:false|no|off|0)$/i,
  /^http\.(?:postbuffer|version|lowspeedlimit|lowspeedtime)$/,
  /^lfs\.repositoryformatversion$/,
]

/** Whether a setting, its key as `git config --list` writes it, surely starts no program. */
export function isHarmlessSetting({ key, value }: { key: string; value: string | null }): boolean {
  const withValue = `${key}=${value ?? ""}`
  return harmless.some((pattern) => pattern.test(pattern.source.includes("=") ? withValue : key))
}
