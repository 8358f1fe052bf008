/**
 * What bash runs to complete `docket`. It needs no package of completions, also runs on bash 3.2 of macOS, and may be
 * sourced again. bash breaks words at `:` and `=`, so the line is split at blanks, and what stands before the last colon
 * is taken off each proposal.
 */
export const bashScript = `# bash completion for docket

_docket_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} words typed before="" proposal
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=("")
  typed=\${words[\${#words[@]} - 1]}
  [[ $typed == -*=* ]] && typed=\${typed#*=}
  [[ $COMP_WORDBREAKS == *:* ]] && before=\${typed%"\${typed##*:}"}
  COMPREPLY=()
  while IFS= read -r proposal; do
    # The last line is a number for other shells.
    [[ $proposal == :* ]] && continue
    proposal=\${proposal%%$'\\t'*}
    COMPREPLY+=("\${proposal#"$before"}")
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _docket_complete docket
`
