/** Declarations only, for the compiler: the classes themselves come from the user's installation of NDB Cluster or RonDB. */
package com.mysql.ndbjtie.ndbapi;
