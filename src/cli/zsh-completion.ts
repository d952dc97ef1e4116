/** The completion script for zsh. What was typed loses its quotes and is passed on; it is never evaluated. */
export const zshCompletion = `#compdef dq
# zsh completion for dq
_dq() {
  local line directive=4
  local -a candidates options
  while IFS= read -r line; do
    case "$line" in
    :[0-9]*) directive="\${line#:}" ;;
    *) candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done < <(dq complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  if ((directive & 2)); then options=(-S ''); fi
  if (($#candidates)); then
    # What stands before the value, such as --type=, stays.
    compset -P '*='
    _describe 'word' candidates "\${(@)options}"
  elif ((!(directive & 4))); then
    _files || { compset -P '*=' && _files; }
  fi
}
(($+functions[compdef])) || { autoload -Uz compinit && compinit; }
if [[ "\${funcstack[1]}" == _dq ]]; then _dq "$@"; else compdef _dq dq; fi
`;
