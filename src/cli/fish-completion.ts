/** The completion script for fish. What was typed is passed on as it is and never evaluated. */
export const fishCompletion = `# fish completion for dq
function __dq_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (dq complete -- $words[2..-1] "$current" 2>/dev/null)
    # What stands before the value, such as --type=, stays.
    set -l before (string match -r -- '^-.*=' "$current")
    for line in $lines[1..-2]
        echo -- "$before$line"
    end
    if contains -- "$lines[-1]" :0 :2
        set before (string match -r -- '^.*=' "$current")
        set -l file (string replace -- "$before" '' "$current")
        for path in (__fish_complete_path "$file")
            echo -- "$before$path"
        end
    end
end
complete -c dq -e
complete -c dq -f -a '(__dq_complete)'
`;
