import type { ExpressionSyntax } from '../../database/expression.ts';

/** What an expression of CUSTOM_SQL looks like in ClickHouse. */
export const expressionSyntax: ExpressionSyntax = {
  quoted:
    /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|`(?:[^`\\]|\\[^]|``)*`|\$(?<tag>\w*)\$[^]*?\$\k<tag>\$/u,
  opening: /['"`$#]|--|\/\*/u,
  denied:
    /^(?:sleep\w*|throwif|getsetting\w*|getserversetting|file\w*|url\w*|s3\w*|gcs\w*|azure\w*|hdfs\w*|remote\w*|cluster\w*|mysql|postgresql|mongodb|redis|sqlite|odbc|jdbc|executable|input|iceberg\w*|hudi\w*|deltalake\w*|paimon\w*|dictionary|merge\w*|catboost\w*|fuzz\w*|ytsaurus|arrowflight|prometheus\w*|loop|view\w*|numbers\w*|system|displayname|hostname|fqdn|query\w*|generaterandom|infile|zookeeper\w*)$/i,
  unquote: (quoted) => (/^["`]/.test(quoted) ? quoted.slice(1, -1).replaceAll(/\\(.)/gsu, '$1') : ''),
};
