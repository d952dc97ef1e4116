import type { ExpressionSyntax } from '../../database/expression.ts';

/** What an expression of CUSTOM_SQL looks like in PostgreSQL. */
export const expressionSyntax: ExpressionSyntax = {
  // E'…' before '…': only there, a backslash escapes. Dollars quote everything up to the same dollars.
  quoted:
    /[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$[^]*?\$\k<tag>\$/u,
  opening: /[eE]?'|"|\$(?!\d)|--|\/\*|[uU]&(?=["'])/u,
  denied:
    /^(?:pg_(?:sleep|read|ls|stat_file|terminate|cancel|reload|rotate|advisory|try_advisory|notify|logical|replication|create|drop|switch|export|promote|current_logfile|backup|start|stop|wal|file|log)\w*|set_config|current_setting|lo_\w+|dblink\w*|(?:query|cursor|table|schema|database)_to_xml\w*|nextval|setval|ts_stat|ts_rewrite)$/i,
  unquote: (quoted) => (quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : ''),
};
