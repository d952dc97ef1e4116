/**
 * The completion script for bash. What was typed is passed on as it is and never evaluated, and it needs neither the
 * package bash-completion nor a bash newer than 3.2.
 */
export const bashCompletion = `# bash completion for dq
_dq_complete() {
  local at last line word directive=4
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local -a words=()
  COMPREPLY=()
  case "$previous$current" in
  *[\\<\\>]*)
    # A redirection is followed by a file.
    directive=0
    ;;
  *)
    # bash takes apart what dq takes as one word, such as --fail-on=critical.
    for ((at = 1; at <= COMP_CWORD; at++)); do
      word="\${COMP_WORDS[at]}"
      last=$((\${#words[@]} - 1))
      if ((last >= 0)) && [[ "$word" == [=:]* || "\${words[last]}" == *[=:] ]]; then
        words[last]="\${words[last]}$word"
      else
        words+=("$word")
      fi
    done
    while IFS= read -r line; do
      case "$line" in
      :[0-9]*) directive="\${line#:}" ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
      esac
    done < <(dq complete -- "\${words[@]}" 2>/dev/null)
    ;;
  esac
  if ((directive & 2)); then compopt -o nospace 2>/dev/null; fi
  if ((\${#COMPREPLY[@]} == 0 && (directive & 4) == 0)); then
    compopt -o default 2>/dev/null || while IFS= read -r line; do
      COMPREPLY+=("$line")
    done < <(compgen -f -- "$current")
  fi
}
complete -F _dq_complete dq
`;
